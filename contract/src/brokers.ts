import * as z from 'zod';
import { Dispute } from './disputes.ts';
import { MOST_NUMBER } from './entry-fields.ts';
import { BrokerEntity, License, LicenseCounts } from './licenses.ts';
import { meta } from './metadata.ts';
import {
  Country,
  Extensible,
  Lei,
  NoQuery,
  OffsetPagination,
  QueryCountry,
  QueryInteger,
  QuerySlugs,
  RegulatorCode,
  Slug,
  Text,
  Tier,
  Timestamp,
  WebUrl,
} from './primitives.ts';
import { problems } from './problem.ts';
import { Register } from './registers.ts';
import { Review } from './reviews.ts';
import type { RouteGroup } from './route.ts';
import { CHECKLIST_KEYS, COLORS } from './score/methodology.ts';
import { Color, ComplaintMonth, RatingMonth, Score, StarDistribution } from './score/schema.ts';
import { SourceKind } from './sources.ts';

/** Every state of a broker. Ceased and merged ones are not rated. */
export const BROKER_STATUSES = ['operating', 'ceased', 'merged', 'suspected_clone'] as const;

/** A public warning by an authority. A warning about a clone names the genuine firm and does not affect its score. */
export const BrokerWarning = z
  .object({
    source: Text(1, 200).meta({ description: 'The authority that warns.', examples: ['Financial Conduct Authority'] }),
    url: WebUrl.describe('Where the warning is published.'),
    title: Text(1, 300).describe('Title of the warning.'),
    publishedAt: Timestamp.describe('When it was published.'),
    dating: Extensible(z.enum(['on_or_before']))
      .optional()
      .describe(
        '`on_or_before`: the authority gives no day; it was published on `publishedAt` or before. ' +
          'Absent where `publishedAt` is the day of the authority.',
      ),
    withdrawnAt: Timestamp.optional().describe('When it was withdrawn; absent while it stands.'),
    about: Extensible(z.enum(['this_firm', 'clone_of_it', 'not_this_firm'])).describe(
      '`this_firm`: it is about this broker, whose score is at most 19 while it stands. ' +
        '`clone_of_it`: somebody else pretends to be this broker; the score stays as it is. ' +
        '`not_this_firm`: it stood here by mistake until `correctedAt`; it does not count.',
    ),
    match: Extensible(z.enum(['unchecked', 'confirmed']))
      .optional()
      .describe(
        '`unchecked`: matched to this broker automatically by LEI or licence number, and no person has checked it yet. ' +
          '`confirmed`: a person has. Absent where editors or the authority named the broker themselves.',
      ),
    correctedAt: Timestamp.optional().describe('When this service took it back; absent where it did not.'),
  })
  .meta({ id: 'BrokerWarning', description: 'A public warning of an authority.' });

/** A disclosure that the broker should make. `met: null` means not checked; the score counts it as unmet. */
export const ChecklistItem = z
  .object({
    key: Extensible(z.enum(CHECKLIST_KEYS)).describe('What should be disclosed.'),
    met: z.boolean().nullable().describe('Whether the broker discloses it; null: not checked, which counts as false.'),
    sourceUrl: WebUrl.nullable().describe('The page that shows it; null: none is known.'),
    checkedAt: Timestamp.nullable().describe('When it was checked; null: never.'),
  })
  .meta({ id: 'ChecklistItem', description: 'A disclosure that the broker should make.' });

/** The source of a fact. */
export const FactSource = z
  .object({
    kind: Extensible(SourceKind).describe('What kind of source it is, which decides its rank.'),
    name: Text(1, 200).meta({ description: 'Its name.', examples: ['asic'] }),
  })
  .meta({ id: 'FactSource', description: 'Who says a fact.' });

/** Another source's value that differs from the published one. */
export const Contradiction = z
  .object({
    field: Text(1, 400).meta({
      description: 'Path of the field; members of lists are named by what identifies them.',
      examples: ['licenses.asic 000001 Alpha Markets Ltd.status'],
    }),
    says: z
      .string()
      .max(4000)
      .meta({ description: 'What it says; JSON unless it is text.', examples: ['active'] }),
    source: FactSource.describe('Who says it.'),
    sourceUrl: WebUrl.nullable().describe('Address of the source; null: it has none.'),
    asOf: Timestamp.describe('The time that it describes.'),
    overruledBecause: Text(1, 300)
      .optional()
      .describe('Why the editors do not publish it; absent where its rank alone decides.'),
  })
  .meta({
    id: 'Contradiction',
    description: 'What a source says that is not published, since a stronger source or the editors say something else.',
  });
export type Contradiction = z.infer<typeof Contradiction>;

/** The source of a fact, and the attribution that the source's licence requires. */
export const Provenance = z
  .object({
    fact: Text(1, 80).meta({ description: 'Name of the field that it backs.', examples: ['licenses'] }),
    sourceUrl: WebUrl.describe('Address of the source.'),
    lastVerifiedAt: Timestamp.nullable().describe(
      'When the source was last opened, or the time that it describes; null: never.',
    ),
    attribution: Text(1, 300)
      .optional()
      .describe('Whom to name, and under which licence; absent where the source does not ask for it.'),
    statedBy: FactSource.optional().describe(
      'Who says what is published. Only where it is not the editors’ own, and where sources differ.',
    ),
    contradicted: z
      .array(Contradiction)
      .optional()
      .describe('What other sources say instead, which is not published; absent where none differs.'),
  })
  .meta({ id: 'Provenance', description: 'Where a fact comes from.' });
export type Provenance = z.infer<typeof Provenance>;

/** A former slug of a broker, or a broker merged into it. */
export const Predecessor = z
  .object({
    slug: Slug.describe('The former slug. A request with it is answered by a redirect to the current one.'),
    name: z.string().meta({ description: 'What it was called then.', examples: ['Alpha FX'] }),
    how: Extensible(z.enum(['renamed', 'merged'])).describe(
      '`renamed`: it is the same broker. `merged`: it was another broker, whose reviews and complaints count here now.',
    ),
    until: Timestamp.describe('Until when it was so.'),
  })
  .meta({
    id: 'Predecessor',
    description: 'What a broker was before: a former slug of it, or a broker merged into it.',
  });

/** Statistics of a broker's published reviews. */
export const RatingSummary = z
  .object({
    average: z
      .number()
      .nullable()
      .describe('Plain mean in stars, 1 to 5, rounded to two decimals; null: there are no reviews.'),
    bayesianAverage: z
      .number()
      .describe('Mean in stars, 1 to 5: old reviews count less, and few reviews keep it near 3. The score uses it.'),
    count: z.int().describe('Number of published reviews.'),
    distribution: StarDistribution.describe('Published reviews by nearest star.'),
  })
  .meta({ id: 'RatingSummary', description: 'The published reviews of a broker, in numbers.' });

/** Counts of a broker's complaints. Complaints themselves are private. */
export const ComplaintSummary = z
  .object({
    open: z.int().describe('Complaints that are being handled and not overdue.'),
    overdue: z.int().describe('Complaints that the broker has had for more than 15 days and not answered.'),
    closed: z
      .int()
      .describe('Complaints that ended as resolved or unresolved. Rejected and withdrawn ones count nowhere.'),
    resolvedRate: z
      .number()
      .nullable()
      .describe('Share of the closed ones that were resolved, 0 to 1 with four decimals; null: none is closed.'),
    timelyRate: z
      .number()
      .nullable()
      .describe(
        'Share of the closed ones that were answered within 15 days, 0 to 1 with four decimals; null: none is closed.',
      ),
    medianResponseDays: z
      .number()
      .nullable()
      .describe('Median of the days until the broker answered, rounded to one decimal; null: it has answered none.'),
  })
  .meta({ id: 'ComplaintSummary', description: 'Complaints about a broker, in numbers over all time.' });

const summaryFields = {
  id: z.string().describe('Opaque id, which never changes. Requests take the `slug`.'),
  slug: Slug.describe('Names the broker in paths and requests.'),
  name: z.string().meta({ description: 'Name of the brand.', examples: ['Alpha Markets'] }),
  legalName: z.string().meta({ description: 'Legal name of the firm behind it.', examples: ['Alpha Markets Ltd'] }),
  tradingNames: z.array(z.string()).meta({ description: 'Other names that it trades under.', examples: [['AlphaFX']] }),
  lei: Lei.optional().describe('LEI of the firm behind it; absent where none is known.'),
  website: WebUrl.describe('Its own website.'),
  domains: z.array(z.string()).meta({ description: 'Its domain names.', examples: [['alpha-markets.example']] }),
  country: Country.describe('Country of the firm behind it.'),
  foundedYear: z
    .int()
    .nullable()
    .meta({ description: 'Year in which it was founded; null: not known.', examples: [2012] }),
  description: z.string().describe('What it offers, in a few sentences. Can be empty.'),
  status: Extensible(z.enum(BROKER_STATUSES)).describe(
    '`operating`, `ceased`, `merged` into another, or a `suspected_clone`, which pretends to be another. ' +
      'Ceased and merged ones are not rated, and take no reviews or complaints.',
  ),
  successor: Slug.optional().describe(
    'Current slug of the broker that took its business over, if it has ceased or merged; absent where none is known.',
  ),
  predecessors: z
    .array(Predecessor)
    .optional()
    .describe(
      'Its former slugs, and the brokers that were merged into it directly, oldest first; absent where there are none.',
    ),
  color: Color.describe('Color of its score: the same as `score.color`.'),
  score: Score.describe('Its score, taken apart.'),
  ratingSummary: RatingSummary.describe('Its published reviews, in numbers.'),
  complaintSummary: ComplaintSummary.describe('Complaints about it, in numbers.'),
  licenseCount: z
    .int()
    .describe('Licences that are not withdrawn, revoked or expired, confirmed by a register or not.'),
  licenseCounts: LicenseCounts.describe('The same licences, by how far registers confirm them.'),
  bestTier: Tier.nullable().describe('Strongest tier among the licences that score; null: none does.'),
  warnings: z.array(BrokerWarning).describe('Warnings of authorities, withdrawn ones too.'),
  licensesCheckedAt: Timestamp.nullable().describe(
    'When its licences were last checked against the registers; null: never, so it is not rated.',
  ),
  updatedAt: Timestamp.describe('When this was computed: the same as `score.computedAt`.'),
};

/** A broker as lists and search show it. */
export const BrokerSummary = z
  .object(summaryFields)
  .meta({ id: 'BrokerSummary', description: 'A broker as lists and search show it.' });
export type BrokerSummary = z.infer<typeof BrokerSummary>;

/** A broker with all the facts behind its score. `recomputeScore` needs nothing else. */
export const BrokerDetail = z
  .object({
    ...summaryFields,
    entities: z.array(BrokerEntity).describe('Legal entities of the brand. A client contracts with one of them.'),
    licenses: z.array(License).describe('Licences of all its entities, ended ones too, ordered by regulator.'),
    ratingsByMonth: z.array(RatingMonth).describe('All published reviews as sums by month, oldest month first.'),
    complaintsByMonth: z
      .array(ComplaintMonth)
      .describe(
        'All complaints of identity-verified people that were closed or are overdue, by month, oldest month first. ' +
          'The score counts those of its own month and the 36 months before.',
      ),
    checklist: z.array(ChecklistItem).describe('All disclosures, checked or not.'),
    recentReviews: z.array(Review).describe('The five newest published reviews, newest first.'),
    provenance: z.array(Provenance).describe('Where the facts come from.'),
    disputes: z
      .array(Dispute)
      .optional()
      .describe(
        'The facts that the firm disputes, and the 50 newest that it disputed and that are decided; newest first. Absent where there are none.',
      ),
    registers: z
      .array(Register)
      .describe(
        'All registers that this service knows, by code. `decideVerdict` needs them to say that none was found.',
      ),
  })
  .meta({ id: 'BrokerDetail', description: 'A broker with everything that its score is made of.' });
export type BrokerDetail = z.infer<typeof BrokerDetail>;

/** A slug of `slugs` that leads to a broker with another one. */
export const MovedSlug = z
  .object({
    asked: Slug.describe('The former slug that the request names.'),
    slug: Slug.describe('The slug under which the broker is published now.'),
  })
  .meta({ id: 'MovedSlug', description: 'A former slug that a request names, and the current one.' });

/** Where a list of changed brokers goes on, and the slugs that are not in it any more. */
export const BrokerUpdates = z
  .object({
    next: z
      .int()
      .describe(
        'The `updatedSince` of the next request. It is less than the one of this request if the service lost entries by ' +
          'a restore and has not as many again: then read all brokers again. A daily reading from 0 finds the rest.',
      ),
    more: z.boolean().describe('True: the next page is ready. False: this is all for now; ask again later.'),
    gone: z
      .array(Slug)
      .describe(
        'Slugs that changed brokers have or had and that are not in `data`: of brokers that were renamed, merged into ' +
          'another or removed, and of those that do not pass the filters now. Drop them before you store `data`.',
      ),
  })
  .meta({
    id: 'BrokerUpdates',
    description: 'Where a list of changed brokers goes on, and which slugs are not in it any more.',
    examples: [{ next: 20_117, more: false, gone: ['alpha-fx'] }],
  });
export type BrokerUpdates = z.infer<typeof BrokerUpdates>;

/** Most slugs that a request for a list of brokers names. */
const MOST_SLUGS = 50;

/** A page of brokers. */
export const BrokerList = z
  .object({
    data: z
      .array(BrokerSummary)
      .describe(
        'Brokers of this page in the order of `sort`. Absent: best score first, and those without a score last. ' +
          'With `updatedSince`: the one whose last change is oldest comes first.',
      ),
    pagination: OffsetPagination.describe(
      'Place of this page in the list. With `updatedSince`, `total` counts the brokers of this page alone.',
    ),
    updates: BrokerUpdates.optional().describe('Where the list goes on. Absent in a list without `updatedSince`.'),
    moved: z
      .array(MovedSlug)
      .optional()
      .describe(
        'Former slugs among `slugs`. The list has their brokers, on one of its pages. Absent in a list without `slugs`.',
      ),
    unknown: z
      .array(Slug)
      .optional()
      .describe('Those of `slugs` that no broker has or had. Absent in a list without `slugs`.'),
  })
  .meta({ id: 'BrokerList', description: 'A page of brokers.' });

/**
 * Body of a 308: the broker that the request names has another slug now. `Location` has the same request with that
 * slug.
 */
export const Moved = z.object({ slug: Slug.describe('The slug under which the broker is published now.') }).meta({
  id: 'Moved',
  description: 'Where a broker is that was renamed or merged into another.',
  examples: [{ slug: 'beta-markets' }],
});
export type Moved = z.infer<typeof Moved>;

/** Choices of the filter by confirmed licence: any, the best tier, or none. */
export const LICENSE_FILTERS = ['confirmed', '1', '2', '3', '4', 'none'] as const;
/** Orders of the list besides the usual one, best score first. */
const BROKER_SORTS = ['newest_change'] as const;
/** Choices of the filter by warning: one about the firm is in force, or none is known. */
export const WARNING_FILTERS = ['standing', 'unknown'] as const;

/** Routes about brokers: the list, and one broker with a breakdown of its score. */
export const brokers = {
  list: {
    method: 'GET',
    path: '/brokers',
    summary: 'Brokers, best score or newest change first',
    description:
      'Ordered by score, then slug; brokers without a score come last. `sort` has another order. `Link` has the next and previous page. ' +
      'Filters combine: the list has the brokers that pass all of them. With `updatedSince`, the list has what changed, ' +
      'and `updates` says where to go on.',
    query: z
      .strictObject({
        limit: QueryInteger(1, 100).default(20),
        offset: QueryInteger(0, 100_000).default(0),
        color: z.enum(COLORS).optional(),
        country: QueryCountry.optional().describe(
          'Only brokers whose firm is in this country: ISO 3166-1 alpha-2, in upper or lower case.',
        ),
        regulator: RegulatorCode.optional().describe(
          'Only brokers with a licence of this regulator that is not withdrawn, revoked or expired.',
        ),
        status: z.enum(BROKER_STATUSES).optional().describe('Only brokers in this state.'),
        residence: QueryCountry.optional().describe(
          'Only brokers that may take clients who live in this country, as far as registers confirm it: `decideVerdict` ' +
            'says `permitted`. ISO 3166-1 alpha-2, in upper or lower case.',
        ),
        license: z
          .enum(LICENSE_FILTERS)
          .optional()
          .describe(
            'Only brokers with an authorisation in force that a register confirms and that is not `stale`: any ' +
              '(`confirmed`), or one of their best tier. `none`: only those without one, stale or not. No choice has suspected ' +
              'clones, which name the licences of others.',
          ),
        warnings: z
          .enum(WARNING_FILTERS)
          .optional()
          .describe(
            '`standing`: only brokers with a warning about the firm that is in force, checked by a person or not. ' +
              '`unknown`: only those of which no such warning is known.',
          ),
        sort: z
          .enum(BROKER_SORTS)
          .optional()
          .describe(
            'Absent: best score first. `newest_change`: the broker that the record has the newest entry about comes first, as `updatedSince` counts: ' +
              'a new score of a day is no entry about a broker.',
          ),
        slugs: QuerySlugs(MOST_SLUGS)
          .optional()
          .describe(
            `Only the brokers with these slugs: 1 to ${MOST_SLUGS}, joined by commas. A former slug stands for the ` +
              'broker that it leads to. Pages count here too: `limit=50` gets all. `moved` and `unknown` name the slugs that no broker has now.',
          ),
        updatedSince: QueryInteger(0, MOST_NUMBER)
          .optional()
          .describe(
            'Only brokers with an entry in the record of this number or a higher one, in the order of the last entries. Take ' +
              'it from `updates.next` of the answer before; 0 gives all brokers. `offset` must be 0. Counts of complaints change ' +
              'at once, and the broker is listed after the next night, if they differ from those of the night before. With ' +
              'the day, score, color, `bestTier` and the counts of licences change as well, and with them what passes the ' +
              'filters.',
          ),
      })
      .superRefine(({ offset, sort, updatedSince }, ctx) => {
        if (sort !== undefined && updatedSince !== undefined)
          ctx.addIssue({
            code: 'custom',
            path: ['sort'],
            message: 'must be absent with "updatedSince", which has an order of its own: the oldest change first',
            params: { code: 'not_one_of' },
          });
        if (offset > 0 && updatedSince !== undefined)
          ctx.addIssue({
            code: 'custom',
            path: ['offset'],
            message: 'must be 0 with "updatedSince": "updates.next" of an answer says where the next page begins',
            params: { code: 'too_big' },
          });
      }),
    responses: { 200: BrokerList, ...problems() },
    metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['brokers'] }),
  },
  get: {
    method: 'GET',
    path: '/brokers/:slug',
    summary: 'One broker, with its score taken apart',
    description:
      'Everything that is published about the broker: the parts of its score with all facts to recompute ' +
      'it, its licences, counts of reviews and complaints by month, and its latest reviews.',
    pathParams: z.strictObject({ slug: Slug }),
    query: NoQuery,
    responses: { 200: BrokerDetail, ...problems('broker_not_found') },
    metadata: meta({
      access: 'public',
      limit: 'public',
      cache: 'catalog',
      shows: ['broker:{slug}', 'regulators'],
      moved: 'slug',
    }),
  },
} as const satisfies RouteGroup;
