import * as z from 'zod';
import { BROKER_STATUSES } from '../brokers.ts';
import { Extensible, NoQuery, Slug, Timestamp, WebUrl } from '../primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { enterpriseMeta } from './metadata.ts';

const EntryNumber = z.int().min(0);

/** Maximum queries of a request. */
const MOST_SCREENED = 100;

/** Fields of a query. */
export const SCREENED_FIELDS = ['lei', 'name', 'domain', 'licenseNumber'] as const;
/** Qualities of a match, best first. */
export const MATCHES = ['exact', 'likely', 'possible'] as const;

/** Maximum characters of a field. */
const MOST_CHARACTERS = 1000;
const Field = (description: string, example: string) =>
  z
    .string()
    .max(MOST_CHARACTERS)
    .nullish()
    .meta({ description, examples: [example] });

/** Somebody who is looked for. A blank field and null are as good as none. */
export const ScreeningQuery = z
  .strictObject({
    lei: Field('An LEI: case and blanks do not matter.', '529900T8BM49AURSDO55'),
    name: Field('A name of 2 to 200 characters: legal forms, case and accents do not matter.', 'Alpha Markets'),
    domain: Field('A domain name, or an address with one, of 3 to 300 characters.', 'alpha-markets.example'),
    licenseNumber: Field('A number of a register of 1 to 80 characters: blanks and dashes do not matter.', '123456'),
    regulator: Field('Code of the regulator whose register the number is from.', 'fca'),
  })
  .meta({
    id: 'ScreeningQuery',
    description: 'Somebody who is looked for, by at least one of `lei`, `name`, `domain` and `licenseNumber`.',
  });
export type ScreeningQuery = z.infer<typeof ScreeningQuery>;

/** A field of a query that nobody can look for. */
export const ScreeningFault = z
  .object({
    field: Extensible(z.enum([...SCREENED_FIELDS, 'regulator', 'query'])).describe(
      'Where: `query` stands for all of it.',
    ),
    message: z.string().describe('What to change.'),
  })
  .meta({
    id: 'ScreeningFault',
    description: 'Why a query is not searched.',
    examples: [{ field: 'query', message: 'must have lei, name, domain or licenseNumber' }],
  });

/** A request to screen. */
export const ScreeningRequest = z
  .strictObject({ queries: z.array(ScreeningQuery).min(1).max(MOST_SCREENED) })
  .meta({ id: 'ScreeningRequest', description: 'Whom to look for. Nothing of it is stored or logged.' });

/** A fact that matches. */
export const ScreeningEvidence = z
  .object({
    field: Extensible(z.enum(SCREENED_FIELDS)).describe('The field of the query.'),
    match: Extensible(z.enum(MATCHES)).describe('How well they match.'),
    fact: z.string().describe('The published fact: its place in the value of the entry.'),
    value: z.string().describe('What is published there.'),
    key: z.string().describe('Key of the entry that says so.'),
    number: EntryNumber.describe('Number of that entry: its proof and its history have it.'),
    source: z.string().nullable().describe('Address of the source; null: the entry has all of them.'),
  })
  .meta({ id: 'ScreeningEvidence', description: 'A published fact that matches a field of the query.' });

/** A reason to look closer. */
export const ScreeningAlert = z
  .object({
    kind: Extensible(z.enum(['suspected_clone', 'warning', 'clone_warning'])).describe(
      '`suspected_clone`: the candidate pretends to be another. `warning`: an authority warns of it. ' +
        '`clone_warning`: an authority warns of somebody who pretends to be it.',
    ),
    title: z.string().nullable(),
    source: z.string().nullable().describe('Who warns.'),
    url: WebUrl.nullable(),
    publishedAt: Timestamp.nullable(),
    withdrawnAt: Timestamp.nullable().describe('When it was withdrawn; null: it stands.'),
    number: EntryNumber.describe('The entry that says so.'),
  })
  .meta({ id: 'ScreeningAlert', description: 'A reason to look closer.' });
export type ScreeningAlert = z.infer<typeof ScreeningAlert>;

/** Somebody who may be meant. */
export const ScreeningCandidate = z
  .object({
    slug: Slug,
    name: z.string(),
    status: Extensible(z.enum(BROKER_STATUSES)),
    match: Extensible(z.enum(MATCHES)).describe(
      'As its best evidence; one step less where a field of the query has a fact here that does not match.',
    ),
    alerts: z.array(ScreeningAlert).describe('Reasons to look closer; those that stand first.'),
    evidence: z.array(ScreeningEvidence).describe('What matches, best first.'),
    unmatched: z
      .array(Extensible(z.enum(SCREENED_FIELDS)))
      .describe('Fields of the query that match nothing here. A known name with a foreign domain is how clones look.'),
  })
  .meta({ id: 'ScreeningCandidate', description: 'A broker that may be meant.' });
export type ScreeningCandidate = z.infer<typeof ScreeningCandidate>;

/** The answer to a request to screen. */
export const ScreeningAnswer = z
  .object({
    knownAt: EntryNumber.describe('Entries up to this number were searched.'),
    notice: z.string().describe('What an answer means, and what it does not.'),
    results: z
      .array(
        z
          .object({
            outcome: Extensible(z.enum(['candidates', 'no_candidate', 'invalid'])).describe(
              '`invalid`: nothing was searched; `faults` says why. The other queries are answered.',
            ),
            meaning: z.string().describe('The outcome in words.'),
            candidates: z
              .array(ScreeningCandidate)
              .describe('Those with alerts first, then the best matches. At most ten.'),
            more: z.boolean().describe('Whether there are more than these: ask with more fields.'),
            faults: z
              .array(ScreeningFault)
              .optional()
              .describe('What to change in an invalid query; absent otherwise.'),
            scriptsNotCompared: z
              .array(z.string())
              .optional()
              .describe(
                'Scripts of the name or domain, such as `Arabic` or `Han`, whose letters are compared with the same letters ' +
                  'only: a name in Latin letters is not found by them. Absent where there are none.',
              ),
          })
          .meta({ id: 'ScreeningResult', description: 'Who may be meant by one query.' }),
      )
      .describe('In the order of the queries.'),
  })
  .meta({ id: 'ScreeningAnswer', description: 'Who may be meant by each query.' });
export type ScreeningAnswer = z.infer<typeof ScreeningAnswer>;

/** The route of screening. */
export const enterpriseScreening = {
  screen: {
    method: 'POST',
    path: '/screen',
    summary: 'Who may be meant by names, domains, LEIs or licence numbers',
    description:
      'For those who check counterparties. Warnings and clones come first. No candidate is no sign of safety: it means ' +
      'that nothing published here matches. Queries are neither stored nor logged.',
    query: NoQuery,
    body: ScreeningRequest,
    responses: { 200: ScreeningAnswer, ...problems(...AUTH_PROBLEMS, ...BODY_PROBLEMS) },
    metadata: enterpriseMeta('screening:read'),
  },
} as const satisfies RouteGroup;
