import type { ComplaintMonth } from '@broker-transparency/client';
import type {
  BrokerAt,
  BrokerHistory,
  RecordBrokersAtQuery,
  RecordBrokersHistoryQuery,
} from '@broker-transparency/client/record';
import { METHODOLOGY_VERSION } from '@broker-transparency/contract';
import {
  addComplaintMonths,
  type BrokerValue,
  type Entry,
  type EntryCause,
  type EntryKind,
  entryAt,
  entryKey,
  type LicenseValue,
  parseEntryKey,
  type QueryTimes,
  type RegulatorValue,
  type ReviewValue,
  ratingMonths,
  scoreFromRecord,
  type WarningValue,
} from '@broker-transparency/contract/record';
import type { BrokerFacts } from './broker-facts.ts';
import { countComplaintMonths } from './build-broker.ts';
import { hashText } from './random.ts';
import type { RegulatorFacts } from './regulators.ts';
import type { StoredReview } from './stored.ts';

/** An entry that has its number, and what it is about: the key of a broker or regulator. */
interface NumberedEntry extends Omit<Entry, 'value'> {
  /** The number after the last entry of its change. */
  readonly end: number;
  readonly subject: string;
  readonly value: object | null;
}

/** The published value of a key. */
interface EntryDraft extends Pick<NumberedEntry, 'kind' | 'key' | 'value'> {}

type EffectiveEntry = NumberedEntry & { readonly value: object };

const toBrokerValue = ({ profile, entities, checklist }: BrokerFacts): BrokerValue => ({
  slug: profile.slug,
  name: profile.name,
  status: profile.status,
  checked: profile.licensesCheckedAt !== null,
  entities,
  checklist: checklist.map(({ key, met }) => ({ key, met })),
});

const toLicenseValues = ({ profile: { slug }, licenses }: BrokerFacts): LicenseValue[] =>
  [...new Set(licenses.map(({ regulatorCode, referenceNumber }) => `${regulatorCode} ${referenceNumber}`))].map(
    (place) => {
      const same = licenses.filter((one) => `${one.regulatorCode} ${one.referenceNumber}` === place);
      const [{ regulatorCode, referenceNumber } = { regulatorCode: '', referenceNumber: '' }] = same;
      const holders = same.map(({ entity: { legalName }, type, status, activeSince }) => ({
        legalName,
        type,
        status,
        ...(activeSince === undefined ? {} : { activeSince }),
      }));
      return { broker: slug, regulator: regulatorCode, number: referenceNumber, holders };
    },
  );

/** Returns the record's entries of a broker, as the service writes them, without hashes of texts. */
const buildDrafts = (facts: BrokerFacts, reviews: readonly StoredReview[]): EntryDraft[] => {
  const { profile, warnings, complaints } = facts;
  const { slug } = profile;
  const months: ComplaintMonth[] = countComplaintMonths(complaints);
  return [
    { kind: 'broker', key: entryKey('broker', slug), value: toBrokerValue(facts) },
    ...toLicenseValues(facts).map((value) => ({
      kind: 'license' as const,
      key: entryKey('license', slug, value.regulator, value.number),
      value,
    })),
    ...warnings.map((warning) => ({
      kind: 'warning' as const,
      key: entryKey('warning', slug, hashText(warning.url).toString(16)),
      value: { broker: slug, ...warning },
    })),
    ...reviews.map(({ id, rating, createdAt }) => ({
      kind: 'review' as const,
      key: entryKey('review', id),
      value: { broker: slug, rating, month: new Date(createdAt).toISOString().slice(0, 7), state: 'published' },
    })),
    ...(months.length === 0
      ? []
      : [{ kind: 'complaints' as const, key: entryKey('complaints', slug), value: { broker: slug, months } }]),
  ];
};

const selectKind = <T>(winners: readonly EffectiveEntry[], kind: EntryKind): T[] =>
  winners.flatMap((winner) => (winner.kind === kind ? [winner.value as T] : []));

const toEntryView = ({ number, time, key, kind, cause }: NumberedEntry) => ({ number, time, key, kind, cause });

/** The record of a test server: everything that was published of its brokers and regulators, by number. */
export class TestRecord {
  readonly #entries: NumberedEntry[] = [];
  /** The last entry of each key. */
  readonly #last = new Map<string, NumberedEntry>();

  #winners(subject: string, times: QueryTimes): EffectiveEntry[] {
    const byKey = new Map<string, NumberedEntry[]>();
    for (const entry of this.#entries)
      if (entry.subject === subject) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
    return [...byKey.values()].flatMap((own) => {
      const winner = entryAt(own, times);
      return winner?.value ? [winner as EffectiveEntry] : [];
    });
  }

  /** Adds the drafts with new values, as one change. */
  #append(subject: string, drafts: readonly EntryDraft[], at: Date, cause: EntryCause): void {
    const getLastValue = (key: string): string => JSON.stringify(this.#last.get(key)?.value ?? null);
    const fresh = drafts.filter(({ key, value }) => getLastValue(key) !== JSON.stringify(value));
    const first = this.#entries.length;
    const end = first + fresh.length;
    const time = [at.toISOString(), this.#entries.at(-1)?.time ?? ''].sort().at(-1) as string; // times never decrease
    for (const [index, draft] of fresh.entries()) {
      const entry = { ...draft, number: first + index, end, time, cause, subject };
      this.#entries.push(entry);
      this.#last.set(draft.key, entry);
    }
  }

  addRegulator({ brokerCount: _, ...facts }: RegulatorFacts & { brokerCount?: number }, at: Date): void {
    const key = entryKey('regulator', facts.code);
    const cause = this.#entries.length === 0 ? 'start' : 'fact';
    this.#append(key, [{ kind: 'regulator', key, value: facts }], at, cause);
  }

  /** Adds what differs from the last entries of a broker. Reviews that are not published any more were removed. */
  addBroker(facts: BrokerFacts, reviews: readonly StoredReview[], at: Date): void {
    const subject = entryKey('broker', facts.profile.slug);
    const drafts = buildDrafts(facts, reviews);
    const known = this.#winners(subject, { knownAt: this.#entries.length, validAt: '9999-12-31T23:59:59.999Z' });
    const cause = known.length === 0 ? 'start' : 'fact';
    const gone = known
      .filter(({ kind, key }) => kind !== 'complaints' && !drafts.some((draft) => draft.key === key))
      .map(({ kind, key, value }) => ({ kind, key, value: kind === 'review' ? { ...value, state: 'removed' } : null }));
    this.#append(subject, [...drafts, ...gone], at, cause);
  }

  /** Returns the known score of a broker; undefined if there was none. */
  #scoreAt(slug: string, times: QueryTimes) {
    const winners = this.#winners(entryKey('broker', slug), times);
    const [broker] = selectKind<BrokerValue>(winners, 'broker');
    if (broker === undefined) return undefined;
    const licenses = selectKind<LicenseValue>(winners, 'license');
    const codes = [...new Set(licenses.map(({ regulator }) => regulator))];
    const regulators = codes.flatMap((code) => this.#winners(entryKey('regulator', code), times));
    const reviews = selectKind<ReviewValue>(winners, 'review').filter(({ state }) => state === 'published');
    const ratingsByMonth = ratingMonths(reviews);
    const complaints = selectKind<{ months: ComplaintMonth[] }>(winners, 'complaints');
    const complaintsByMonth = addComplaintMonths(complaints.flatMap(({ months }) => months));
    const tiers = new Map(selectKind<RegulatorValue>(regulators, 'regulator').map(({ code, tier }) => [code, tier]));
    const warnings = selectKind<WarningValue>(winners, 'warning');
    const facts = { broker, licenses, warnings, tiers, ratingsByMonth, complaintsByMonth };
    const score = scoreFromRecord(facts, METHODOLOGY_VERSION, times.validAt);
    const told = [...winners.filter(({ kind }) => kind !== 'review'), ...regulators];
    return { slug: broker.slug, score, told, ratingsByMonth, complaintsByMonth };
  }

  /** Answers `at`; undefined if nothing was known of the broker. */
  at(slug: string, { knownAt, validAt }: RecordBrokersAtQuery, now: Date): BrokerAt | undefined {
    const last = this.#entries.length - 1;
    const until = Date.parse(String(knownAt));
    const number =
      typeof knownAt === 'string'
        ? this.#entries.filter(({ time }) => Date.parse(time) <= until).length - 1
        : (this.#entries[Math.min(knownAt ?? last, last)]?.end ?? 0) - 1;
    const times = { knownAt: number, validAt: new Date(validAt ?? now).toISOString() };
    const found = this.#scoreAt(slug, times);
    if (found === undefined) return undefined;
    const { told, score, ratingsByMonth, complaintsByMonth } = found;
    const facts = told
      .sort((a, b) => a.number - b.number)
      .map((entry) => ({ ...toEntryView(entry), value: entry.value }));
    return {
      slug: found.slug,
      ...times,
      score,
      facts: facts as BrokerAt['facts'],
      ratingsByMonth,
      complaintsByMonth,
    };
  }

  /** Number of the next entry. */
  get next(): number {
    return this.#entries.length;
  }

  /** Returns the number of the last entry about each broker, by its slug then, in the order of these numbers. */
  lastChanges(): { readonly slug: string; readonly number: number }[] {
    const last = new Map<string, number>();
    for (const { subject, number } of this.#entries) {
      const [kind, slug = ''] = parseEntryKey(subject);
      if (kind !== 'broker') continue;
      last.delete(slug);
      last.set(slug, number);
    }
    return [...last].map(([slug, number]) => ({ slug, number }));
  }

  /** Answers `history`. */
  history(slug: string, { from = 0, before, per = 'entry', limit }: RecordBrokersHistoryQuery): BrokerHistory {
    const subject = entryKey('broker', slug);
    const own = this.#entries.filter((entry) => entry.subject === subject);
    const [{ number: begin, time: since } = { number: 0, time: '' }] = own;
    const licenses = own.filter(({ kind, value }) => kind === 'license' && value !== null);
    const regulators = licenses.map(({ value }) => entryKey('regulator', (value as LicenseValue).regulator));
    const about = new Set([subject, ...regulators]);
    const all = this.#entries.filter((entry) => about.has(entry.subject) && entry.end > begin);
    const ends = [...new Set(all.map(({ end }) => end))];
    const changes = ends.map((end) => all.filter((entry) => entry.end === end));
    const toPeriod = (change: NumberedEntry[] | undefined): string | undefined =>
      change?.[0]?.time.slice(0, per === 'day' ? 10 : 7);
    const steps = changes.filter((change, at) => per === 'entry' || toPeriod(change) !== toPeriod(changes[at + 1]));
    const countBefore = (number: number): number =>
      steps.filter((change) => (change.at(-1)?.number ?? -1) < number).length;
    const least = countBefore(from);
    const most = limit ?? steps.length;
    const end = before === undefined ? least + most : countBefore(before);
    const start = before === undefined ? least : Math.max(least, end - most);
    const page = steps.slice(start, end);
    const data = page.map((change) => {
      const entry = change.at(-1) as NumberedEntry;
      const scored = this.#scoreAt(slug, { knownAt: entry.number, validAt: entry.time });
      const entries = change.map(({ number, key }) => ({ number, key }));
      return {
        ...toEntryView(entry),
        entries,
        value: scored?.score.value ?? null,
        color: scored?.score.color ?? 'gray',
      };
    });
    const hasPrevious = start > (before === undefined ? 0 : least);
    return {
      slug,
      since,
      data,
      next: steps[end]?.[0]?.number ?? null,
      previous: hasPrevious ? (steps[start]?.[0]?.number ?? from) : null,
    };
  }
}
