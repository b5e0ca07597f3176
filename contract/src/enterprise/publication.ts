import { PUBLICATION_FORMAT, PUBLICATION_TERMS, type Republication } from '@broker-transparency/kernel';
import * as z from 'zod';
import { CalendarDate, Extensible, Slug } from '../primitives.ts';
import { AUTH_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { Color } from '../score/schema.ts';
import { enterpriseMeta } from './metadata.ts';

const EntryNumber = z.int().min(0);
const ProofText = z.string().describe('A proof file (c2sp.org/tlog-proof).');

/** The rating of a broker on one day, as one file that proves itself. */
export const PublicationFile = z
  .object({
    format: z.literal(PUBLICATION_FORMAT),
    citation: z.string().describe('One line to be printed beside the rating.'),
    broker: z.object({ slug: Slug, name: z.string(), entry: EntryNumber }).describe('What it was called then.'),
    rating: z
      .object({ date: CalendarDate, value: z.number().nullable(), color: Color, entry: EntryNumber })
      .describe('The rating at 00:00 UTC of the day.'),
    methodology: z
      .object({ version: z.string(), sha256: z.string(), entry: EntryNumber })
      .describe('The methodology in force, with the SHA-256 of its arithmetic.'),
    publisher: z.object({ host: z.string() }).describe('Who publishes it: the host of the log.'),
    log: z
      .object({
        origin: z.string().describe('Name of the log, and where it is.'),
        size: EntryNumber,
        keys: z.array(z.string()).describe('Verifier keys of the log that signed this checkpoint.'),
      })
      .describe('The log that has the rating.'),
    terms: z.object({
      republication: Extensible(z.enum(Object.keys(PUBLICATION_TERMS) as [Republication, ...Republication[]])),
      text: z.string(),
    }),
    proofs: z.object({ rating: ProofText, broker: ProofText, methodology: ProofText }),
  })
  .meta({ id: 'PublicationFile', description: 'The rating of a broker on one day, as one file that proves itself.' });

/** Formats of publications. */
export const PUBLICATION_FORMS = ['json', 'html'] as const;

/** The route of publications. */
export const enterprisePublication = {
  publication: {
    method: 'GET',
    path: '/brokers/:slug/publication',
    summary: 'The rating of a broker on one day, as one file that proves itself',
    description:
      'Keep it: it verifies offline for ever, by `verifyPublication` of the client, `broker-transparency verify` or the ' +
      'page `/verify`. With `format=html` it is a page to read and print (`text/html`), with the same JSON in it.',
    pathParams: z.strictObject({ slug: Slug }),
    query: z.strictObject({
      date: CalendarDate.optional().describe('The day. Default: the last one.'),
      format: z.enum(PUBLICATION_FORMS).default('json').describe('How it is written.'),
    }),
    responses: { 200: PublicationFile, ...problems(...AUTH_PROBLEMS, 'broker_not_found', 'not_found') },
    metadata: enterpriseMeta('record:read', 'record'),
  },
} as const satisfies RouteGroup;
