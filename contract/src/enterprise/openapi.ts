import { buildDocument, type DocumentServer } from '../openapi/build.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { ENTERPRISE_BASE_PATH, ENTERPRISE_RESOURCES, enterpriseContract } from './contract.ts';
import { PLANS } from './plans.ts';

const DESCRIPTION = `What media, institutions and regulators get by an agreement with the operator: everything that is published, as it
happens and as files, with proofs from the public log.

Every route needs a key. The conventions are those of the public API: unknown parameters are refused, enumerations of
answers may grow within v1, and errors are RFC 9457 problem details with a stable \`code\`. What does not exist and what
belongs to another organisation are answered alike. Requests count against the budget of the organisation, by its plan.`;

const BEARER =
  "A key of your organisation, issued by the operator, or a token of the operator's identity provider for a client " +
  'that is registered for your organisation. In the Authorization header only.';

/**
 * Builds the OpenAPI 3.1 document of what customers get by an agreement.
 * @param given as for `openApiDocument`; `contact`: whom customers ask, an address of mail or of a page
 * @example enterpriseOpenApiDocument({ serverUrl: 'https://brokers.example', version: '1.0.0' }).servers[0].url // 'https://brokers.example/enterprise/v1'
 */
export const enterpriseOpenApiDocument = (given: DocumentServer): OpenApiDocument =>
  buildDocument(
    {
      title: 'Broker transparency and rating: for media, institutions and regulators',
      description: DESCRIPTION,
      basePath: ENTERPRISE_BASE_PATH,
      tags: ENTERPRISE_RESOURCES,
      routes: enterpriseContract,
      budget: { name: 'enterprise', requests: PLANS.institution.requestsPerMinute, windowSeconds: 60 },
      bearer: BEARER,
    },
    given,
  );
