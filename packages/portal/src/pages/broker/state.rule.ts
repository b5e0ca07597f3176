import type { BrokerDetail } from '@broker-transparency/client';
import { hasLicenseEnded } from '@broker-transparency/contract';
import { groupWarnings, isWarned } from '@broker-transparency/contract/score';

export type Warning = BrokerDetail['warnings'][number];
export type BrokerLicense = BrokerDetail['licenses'][number];

/** Groups the warnings of a broker for its page, newest first within each group. */
export const groupNewestFirst = (warnings: readonly Warning[]) =>
  groupWarnings(warnings.toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1)));

/** Returns the effect of caps on a score: the value of the parts alone, and whether a cap lowered it. */
export const capEffect = ({ value, rawValue, caps }: BrokerDetail['score']) => {
  const limit = Math.min(100, ...caps.map((cap) => cap.limit));
  return { limit, raw: Math.round(rawValue * 10) / 10, lowers: value !== null && rawValue > limit };
};

/** Returns whether a broker has ended: it has no score, and accepts nothing more. */
export const hasEnded = ({ status }: Pick<BrokerDetail, 'status'>): boolean =>
  status === 'ceased' || status === 'merged';

/** Returns whether a broker is a suspected clone: none of its figures is reliable. */
export const isClone = ({ status }: Pick<BrokerDetail, 'status'>): boolean => status === 'suspected_clone';

/** Returns whether a firm in business has no confirmed licence, which its page says before everything else. */
export const isUnlicensed = (broker: Pick<BrokerDetail, 'status' | 'licenseCounts'>): boolean =>
  !isClone(broker) && !hasEnded(broker) && broker.licenseCounts.confirmed === 0;

/** Returns whether a page shows the evidence for a score. Beside an alarm it would read as praise. */
export const isEvidenceShown = (broker: Pick<BrokerDetail, 'status' | 'score' | 'warnings'>): boolean =>
  broker.score.value !== null && !isClone(broker) && !isWarned(broker.warnings);

/** An unknown fact about a broker. */
export type UnknownFact =
  | {
      readonly kind:
        | 'neverChecked'
        | 'noLicences'
        | 'noEntities'
        | 'noReviews'
        | 'noComplaints'
        | 'foundedYear'
        | 'lei';
    }
  | { readonly kind: 'unverified' | 'stale' | 'undated' | 'uncheckedWarnings' | 'contradicted'; readonly count: number }
  | { readonly kind: 'checklist'; readonly keys: readonly string[] };

/** Returns the unknown facts about a broker, the most important first. */
export const listUnknowns = (broker: BrokerDetail): UnknownFact[] => {
  const held = broker.licenses.filter((license) => !hasLicenseEnded(license));
  const unmet = broker.checklist.filter(({ met }) => met === null).map(({ key }) => key);
  const flag = (kind: Exclude<UnknownFact, { count: number } | { keys: readonly string[] }>['kind'], is: boolean) =>
    is ? [{ kind }] : [];
  const counted = (kind: Extract<UnknownFact, { count: number }>['kind'], all: readonly unknown[]) =>
    all.length > 0 ? [{ kind, count: all.length }] : [];
  return [
    ...flag('neverChecked', broker.licensesCheckedAt === null),
    ...flag('noLicences', broker.licenses.length === 0),
    ...flag('noEntities', broker.entities.length === 0),
    ...counted('uncheckedWarnings', groupWarnings(broker.warnings).unchecked),
    ...counted(
      'unverified',
      held.filter(({ status }) => status === 'unverified'),
    ),
    ...counted(
      'stale',
      held.filter(({ stale }) => stale === true),
    ),
    ...counted(
      'contradicted',
      broker.provenance.flatMap(({ contradicted = [] }) => contradicted),
    ),
    ...(unmet.length > 0 ? [{ kind: 'checklist' as const, keys: unmet }] : []),
    ...flag('noReviews', broker.ratingSummary.count === 0),
    ...flag('noComplaints', broker.complaintSummary.closed + broker.complaintSummary.overdue === 0),
    ...counted(
      'undated',
      held.filter(({ statusEffectiveAt }) => statusEffectiveAt === null),
    ),
    ...flag('foundedYear', broker.foundedYear === null),
    ...flag('lei', broker.lei === undefined),
  ];
};

/** Splits a long text after a sentence or word near `most` characters; the second part is empty for a short one. */
export const splitText = (text: string, most: number): readonly [string, string] => {
  if (text.length <= most * 1.25) return [text, ''];
  const start = text.slice(0, most);
  const at = Math.max(start.search(/[.!?。！？؟]\s[^.!?。！？؟]*$/u) + 1, start.lastIndexOf('\n'));
  const cut = at > most / 2 ? at : start.lastIndexOf(' ') > most / 2 ? start.lastIndexOf(' ') : most;
  // A pair of surrogates stays together.
  const safe = /[\uD800-\uDBFF]/.test(text[cut - 1] ?? '') ? cut - 1 : cut;
  return [text.slice(0, safe).trimEnd(), text.slice(safe).trimStart()];
};
