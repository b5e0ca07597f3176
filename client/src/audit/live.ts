import { canonicalJson } from '@broker-transparency/contract/log';
import type { RatedFacts } from '@broker-transparency/contract/record';
import { type PublishedRating, recomputeScore } from '@broker-transparency/contract/score';
import type { Finding } from './log.ts';

/** The answer of the API about a broker. */
export type LiveBroker = Omit<PublishedRating, 'licenses'> & {
  readonly slug: string;
  readonly licenses: readonly (PublishedRating['licenses'][number] & { readonly referenceNumber: string })[];
};

const sorted = (values: readonly unknown[]): string[] => values.map(canonicalJson).sort();

const months = (all: RatedFacts['ratingsByMonth']): string[] =>
  sorted(all.map(({ month, count, sum, sumOfSquares }) => [month, count, sum, sumOfSquares]));

const met = (checklist: readonly { readonly key: string; readonly met: boolean | null }[]): string[] =>
  checklist.flatMap((item) => (item.met === true ? [item.key] : [])).sort();

/** What a score follows from, apart from complaints, which the record has only once a night. */
const ofLog = ({ broker, licenses, warnings, tiers, ratingsByMonth }: RatedFacts) => ({
  status: broker.status,
  'whether its licences were checked': broker.checked,
  entities: sorted(broker.entities.map(({ legalName, retailClients }) => [legalName, retailClients])),
  licenses: sorted(
    licenses.flatMap(({ regulator, number, holders }) =>
      holders.map(({ legalName, type, status, activeSince = null }) => [
        regulator,
        number,
        legalName,
        type,
        tiers.get(regulator) ?? 4,
        status,
        activeSince,
      ]),
    ),
  ),
  warnings: sorted(warnings.map(({ about, withdrawnAt = null }) => [about, withdrawnAt])),
  'reviews by month': months(ratingsByMonth),
  'disclosures that are met': met(broker.checklist),
});

const ofAnswer = (answer: LiveBroker): ReturnType<typeof ofLog> => ({
  status: answer.status,
  'whether its licences were checked': answer.licensesCheckedAt !== null,
  entities: sorted(answer.entities.map(({ legalName, retailClients }) => [legalName, retailClients])),
  licenses: sorted(
    answer.licenses.map(({ regulatorCode, referenceNumber, entity, type, tier, status, activeSince = null }) => [
      regulatorCode,
      referenceNumber,
      entity.legalName,
      type,
      tier,
      status,
      activeSince,
    ]),
  ),
  warnings: sorted(answer.warnings.map(({ about, withdrawnAt = null }) => [about, withdrawnAt])),
  'reviews by month': months(answer.ratingsByMonth),
  'disclosures that are met': met(answer.checklist),
});

/** Compares live answers with what the log says, and their scores with the published arithmetic. */
export const compareLive = (
  answers: readonly LiveBroker[],
  facts: ReadonlyMap<string, RatedFacts>,
  size: number,
): Finding[] =>
  answers.flatMap((answer): Finding[] => {
    const { slug, score } = answer;
    const known = facts.get(slug);
    if (!known) return [{ message: `the API publishes ${slug}, of which the first ${size} entries know nothing` }];
    const [log, live] = [ofLog(known), ofAnswer(answer)];
    const other = Object.keys(log).filter((name) => {
      const field = name as keyof typeof log;
      return canonicalJson(log[field]) !== canonicalJson(live[field]);
    });
    const recomputed = recomputeScore(answer);
    return [
      ...other.map((name) => ({
        message: `the API says something else of ${slug} than the first ${size} entries: ${name}`,
      })),
      ...(recomputed.value === (score as { value?: unknown }).value
        ? []
        : [
            {
              message: `the score of ${slug} in the API does not follow from its answer: recomputed ${recomputed.value}`,
            },
          ]),
    ];
  });
