import type * as z from 'zod';
import { type BrokerDetail, type BrokerList, type BrokerSummary, Moved } from '../brokers.ts';
import { type ComplaintReceipt, ComplaintSubmission } from '../complaints.ts';
import type { BrokerAt, BrokerHistory, BrokerProof } from '../history.ts';
import type { NewsList } from '../news.ts';
import type { RegulatorDetail, RegulatorList } from '../regulators.ts';
import { type ReviewList, ReviewSubmission, type SubmittedReview } from '../reviews.ts';
import type { SearchResults } from '../search.ts';
import { composeExample } from './compose-example.ts';
import type { OpenApiDocument } from './document.ts';
import { exampleBroker } from './example-broker.ts';
import { FCA, FCA_RULES } from './example-fca.ts';
import type { NamedRoute } from './routes.ts';

type Example<S extends z.ZodType> = z.output<S>;

/** Returns the example in a schema's own metadata. */
const requireExample = <S extends z.ZodType>(schema: S): z.input<S> => {
  const example = schema.meta()?.['examples'] as z.input<S>[] | undefined;
  if (example?.[0] === undefined) throw new TypeError(`${schema.meta()?.id} has no example`);
  return example[0];
};

const detail: BrokerDetail = exampleBroker();

const toSummary = (broker: BrokerDetail): BrokerSummary => {
  const { entities, licenses, ratingsByMonth, complaintsByMonth, checklist, recentReviews, ...rest } = broker;
  const { provenance, registers, ...summary } = rest;
  return summary;
};

const regulator: Example<typeof RegulatorList>['data'][number] = {
  ...FCA,
  tier: 1,
  tierReason: 'Statutory authority with a compensation scheme, capital rules and published enforcement.',
  website: 'https://www.fca.org.uk/',
  ...FCA_RULES,
  lastVerifiedAt: null,
  registerReadAt: null,
  brokerCount: 1,
};

const review = detail.recentReviews[0] as Example<typeof ReviewList>['data'][number];
const { publishedAt, ...unpublished } = review;
const complaint = requireExample(ComplaintSubmission);

const regulated: Example<typeof RegulatorDetail>['brokers'] = [
  {
    slug: detail.slug,
    name: detail.name,
    status: detail.status,
    color: detail.color,
    score: detail.score.value,
    licenses: detail.licenses.map(({ entity, referenceNumber, status }) => ({
      entity: entity.legalName,
      referenceNumber,
      status,
    })),
  },
];

/** An entry of the record, as history names it. */
const licenseEntry = {
  number: 10,
  time: '2026-01-10T09:00:00.000Z',
  key: 'license/alpha-markets/fca/195355',
  kind: 'license',
  cause: 'start',
} as const;

interface NamedExample {
  readonly summary: string;
  readonly value: unknown;
}

/**
 * Hand-written examples that are consistent with each other, by the name of their schema. All others are composed from
 * the examples of their fields.
 */
const WRITTEN: Readonly<Record<string, NamedExample>> = {
  SearchResults: {
    summary: 'One broker matches',
    value: { data: [toSummary(detail)] } satisfies Example<typeof SearchResults>,
  },
  BrokerList: {
    summary: 'The only page',
    value: {
      data: [toSummary(detail)],
      pagination: { limit: 20, offset: 0, total: 1 },
    } satisfies Example<typeof BrokerList>,
  },
  BrokerDetail: { summary: 'A broker whose score can be recomputed from this answer', value: detail },
  RegulatorList: { summary: 'One regulator', value: { data: [regulator] } satisfies Example<typeof RegulatorList> },
  RegulatorDetail: {
    summary: 'A regulator with the broker it regulates',
    value: { ...regulator, brokers: regulated } satisfies Example<typeof RegulatorDetail>,
  },
  ReviewList: {
    summary: 'One review',
    value: { data: [review], pagination: { limit: 20, nextCursor: null } } satisfies Example<typeof ReviewList>,
  },
  ReviewSubmission: { summary: 'A review', value: requireExample(ReviewSubmission) },
  SubmittedReview: {
    summary: 'Stored, waiting for a moderator',
    value: { ...unpublished, status: 'pending' } satisfies Example<typeof SubmittedReview>,
  },
  ComplaintSubmission: { summary: 'A complaint about a withdrawal', value: complaint },
  ComplaintReceipt: {
    summary: 'The receipt',
    value: {
      reference: 'C-7QK2M9XF4T',
      brokerSlug: complaint.broker,
      category: complaint.category,
      title: complaint.title,
      status: 'received',
      consentToForward: complaint.consentToForward,
      createdAt: '2026-11-02T09:30:00.000Z',
    } satisfies Example<typeof ComplaintReceipt>,
  },
  BrokerHistory: {
    summary: 'The last page',
    value: {
      slug: detail.slug,
      since: '2026-01-10T09:00:00.000Z',
      data: [
        {
          ...licenseEntry,
          entries: [{ number: licenseEntry.number, key: licenseEntry.key }],
          value: 52.5,
          color: 'yellow',
        },
        {
          number: 12,
          time: '2026-01-11T10:00:00.000Z',
          key: 'review/6553f1a2b4c5d6e7f8091a2b',
          kind: 'review',
          cause: 'fact',
          entries: [{ number: 12, key: 'review/6553f1a2b4c5d6e7f8091a2b' }],
          value: 54.25,
          color: 'yellow',
        },
      ],
      next: null,
      previous: null,
    } satisfies Example<typeof BrokerHistory>,
  },
  BrokerAt: {
    summary: 'What was known up to a change, about its time',
    value: {
      slug: detail.slug,
      knownAt: 31,
      validAt: detail.score.computedAt,
      score: detail.score,
      facts: [{ ...licenseEntry, value: { broker: detail.slug, regulator: 'fca', number: '195355', holders: [] } }],
      ratingsByMonth: detail.ratingsByMonth,
      complaintsByMonth: detail.complaintsByMonth,
    } satisfies Example<typeof BrokerAt>,
  },
  BrokerProof: {
    summary: 'A proof of the score of a day',
    value: {
      slug: detail.slug,
      number: 299,
      date: '2026-11-02',
      proof: 'c2sp.org/tlog-proof@v1\nextra eyJrZXki…\nindex 299\n…\n',
    } satisfies Example<typeof BrokerProof>,
  },
  Moved: { summary: 'The broker has another slug', value: requireExample(Moved) },
  NewsList: {
    summary: 'A warning about a clone',
    value: {
      data: [
        {
          id: 'n-2026-11-02-1',
          title: 'Regulator warns about a clone of Alpha Markets',
          summary: 'An unauthorised firm uses the name and the registration number of Alpha Markets Ltd.',
          url: 'https://www.fca.org.uk/news/warnings',
          source: 'Financial Conduct Authority',
          category: 'warning',
          severity: 'serious',
          brokerSlugs: ['alpha-markets'],
          regulatorCodes: ['fca'],
          language: 'en',
          publishedAt: '2026-11-02T09:30:00.000Z',
        },
      ],
      pagination: { limit: 20, nextCursor: null },
    } satisfies Example<typeof NewsList>,
  },
};

const toNamedExample = (schema: z.ZodType): [name: string, NamedExample] => {
  const name = schema.meta()?.id as string;
  return [name, WRITTEN[name] ?? { summary: 'An example', value: composeExample(schema, name) }];
};

/**
 * Returns an example of every body of these routes' requests and answers except errors, by the name of its schema.
 * @throws TypeError as `composeExample` does
 */
export const exampleComponents = (routes: readonly NamedRoute[]): OpenApiDocument['components']['examples'] =>
  Object.fromEntries(
    routes
      .flatMap(({ body, success, policy }) => [
        ...(body === undefined ? [] : [body]),
        success.schema,
        ...(policy.moved === undefined ? [] : [Moved]),
      ])
      .map(toNamedExample),
  );
