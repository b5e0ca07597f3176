import { ACCOUNT_BASE_PATH, ACCOUNT_RESOURCES, accountContract } from './account.ts';
import { BASE_PATH, contract, RESOURCES } from './contract.ts';
import { LIMITS } from './metadata.ts';
import { buildDocument } from './openapi/build.ts';
import type { OpenApiDocument } from './openapi/document.ts';
import { TRANSPARENCY_BASE_PATH, transparencyContract } from './transparency.ts';

export type * from './openapi/document.ts';

const DESCRIPTION = `Transparency data about foreign-exchange brokers: a score anyone can recompute, licences, reviews and complaints,
the regulators, and industry news.

Every GET is public. Texts are counted in Unicode code points: at most so many as are sent, and at least so many from the
first visible one to the last. Then surrounding blanks are cut. NUL and lone surrogates are refused. Unknown parameters and fields are refused, never ignored. Enumerations of answers may grow within
v1, those of requests are closed. Brokers can be renamed and merged: a GET that names a former slug is answered 308.
Errors are RFC 9457 problem details with a stable \`code\`. Every answer of this interface counts against its rate limit
and says in \`RateLimit\` what is left.`;

const BEARER =
  'A token issued by the operator, in the Authorization header only. On public routes it is optional: with ' +
  'it, requests are counted per account instead of per address.';

const RECORD_DESCRIPTION = `What was published of a broker at any time: what changed and when, what was known at one time about another, and proofs
of that from the public log; and figures about moderation and the service.

Every GET is public, and brokers are found by former slugs too. The conventions are those of the API: unknown parameters
are refused, enumerations of answers may grow within v1, and errors are RFC 9457 problem details with a stable \`code\`.
Answers are computed for each request, so they count against a rate limit of their own, \`history\`. Only the figures about
moderation count against \`public\`.`;

/**
 * Builds the OpenAPI 3.1 document of the API from the contract. The same contract always gives the same bytes.
 * @param given `serverUrl`: public address of the server, with or without `/api/v1`; `version`: a semantic version
 * @example openApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).openapi // '3.1.1'
 */
export const openApiDocument = (given: { serverUrl: string; version: string }): OpenApiDocument =>
  buildDocument(
    {
      title: 'Broker transparency and rating',
      description: DESCRIPTION,
      basePath: BASE_PATH,
      tags: RESOURCES,
      routes: contract,
      budget: { name: 'public', ...LIMITS.public },
      bearer: BEARER,
    },
    given,
  );

/**
 * Builds the OpenAPI 3.1 document of the routes that say what was published of a broker at any time.
 * @param given as for `openApiDocument`
 * @example recordOpenApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).servers[0].url // 'https://brokers.example/transparency/v1'
 */
export const recordOpenApiDocument = (given: { serverUrl: string; version: string }): OpenApiDocument =>
  buildDocument(
    {
      title: 'Broker transparency and rating: the record',
      description: RECORD_DESCRIPTION,
      basePath: TRANSPARENCY_BASE_PATH,
      tags: {
        moderation: 'How reviews were moderated, in numbers.',
        brokers: 'What was published of a broker at any time.',
        entries: 'What is published, proven by the log.',
        openings: 'How public texts are checked against the record.',
        serviceLevel: 'How well the service could be reached, as probers saw it from outside.',
      },
      routes: transparencyContract,
      budget: { name: 'history', ...LIMITS.history },
      bearer: BEARER,
    },
    given,
  );

const ACCOUNT_DESCRIPTION = `What people see and change of their own: reviews, complaints, reports, appeals and their address for mail.

Every route needs a token of the person. The conventions are those of the API: unknown parameters and fields are refused,
enumerations of answers may grow within v1, and errors are RFC 9457 problem details with a stable \`code\`.`;

/**
 * Builds the OpenAPI 3.1 document of the routes with which people see and change their own submissions.
 * @param given as for `openApiDocument`
 * @example accountOpenApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).servers[0].url // 'https://brokers.example/account/v1'
 */
export const accountOpenApiDocument = (given: { serverUrl: string; version: string }): OpenApiDocument =>
  buildDocument(
    {
      title: 'Broker transparency and rating: your own submissions',
      description: ACCOUNT_DESCRIPTION,
      basePath: ACCOUNT_BASE_PATH,
      tags: ACCOUNT_RESOURCES,
      routes: accountContract,
      budget: { name: 'public', ...LIMITS.public },
      bearer: BEARER,
    },
    given,
  );
