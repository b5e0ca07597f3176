import type {
  BrokerValue,
  ComplaintsValue,
  Entry,
  LicenseValue,
  RegulatorValue,
  ReviewValue,
  WarningValue,
} from '@broker-transparency/contract/record';

/*
 * The parts of values that scores need. An auditor keeps those of every broker in memory, so texts that are the same
 * are one text.
 */

/** Texts that repeat often. */
const texts = new Map<string, string>();
/** More than codes, states, months and days of a log have. */
const MOST_TEXTS = 100_000;

/** Returns the same text for equal texts. */
const shared = <T extends string | undefined>(text: T): T => {
  if (text === undefined) return text;
  const known = texts.get(text);
  if (known !== undefined) return known as T;
  if (texts.size < MOST_TEXTS) texts.set(text, text);
  return text;
};

const lists = new Map<string, BrokerValue['checklist']>();
/** Returns the disclosures that are met. Others count for nothing. Equal lists are one list. */
const metOnly = (checklist: BrokerValue['checklist']): BrokerValue['checklist'] => {
  const keys = checklist.flatMap(({ key, met }) => (met === true ? [key] : []));
  const known = lists.get(keys.join());
  if (known) return known;
  const list = keys.map((key) => ({ key, met: true }));
  if (lists.size < MOST_TEXTS) lists.set(keys.join(), list);
  return list;
};

const NONE: readonly never[] = [];
/** Returns a list without spare room; empty ones are one list. */
export const exact = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NONE : [...list]);

/** Returns the same name for equal names of brokers. */
type NameOf = (broker: string) => string;

const TRIM: { readonly [K in Entry['kind']]?: (value: never, toName: NameOf) => unknown } = {
  broker: ({ slug, status, checked, entities, checklist, merged, predecessors }: BrokerValue): BrokerValue => ({
    slug,
    name: '', // no score needs it
    status: shared(status),
    checked,
    entities: entities.map(({ legalName, retailClients }) => ({ legalName, retailClients })),
    checklist: metOnly(checklist),
    merged: merged?.map(shared),
    predecessors: predecessors?.map((former) => ({ slug: former.slug })),
  }),
  license: ({ broker, regulator, number, holders }: LicenseValue, toName): LicenseValue => ({
    broker: toName(broker),
    regulator: shared(regulator),
    number,
    holders: holders.map(({ legalName, type, status, activeSince }) => ({
      legalName,
      type: shared(type),
      status: shared(status),
      activeSince: shared(activeSince),
    })),
  }),
  warning: ({ broker, about, withdrawnAt }: WarningValue, toName): WarningValue => ({
    broker: toName(broker),
    about: shared(about),
    withdrawnAt: shared(withdrawnAt),
  }),
  regulator: ({ code, tier }: RegulatorValue): RegulatorValue => ({ code, tier }),
  review: ({ broker, rating, month, state }: ReviewValue, toName): ReviewValue => ({
    broker: toName(broker),
    rating,
    month: shared(month),
    state: shared(state),
  }),
  complaints: ({ broker, months }: ComplaintsValue, toName): ComplaintsValue => ({
    broker: toName(broker),
    months: months.map(({ month, closed, resolved, timely }) => ({ month: shared(month), closed, resolved, timely })),
  }),
};

/** Returns true if scores need entries of a kind. */
export const isScored = (kind: Entry['kind']): boolean => TRIM[kind] !== undefined;

/** Returns the part of a value that scores need. @throws TypeError if it has another form than its kind */
export const trimmed = ({ kind, value }: Pick<Entry, 'kind' | 'value'>, toName: NameOf): Entry['value'] =>
  value === null
    ? null
    : ((TRIM[kind] as (value: unknown, toName: NameOf) => Entry['value'])?.(value, toName) ?? value);

/** Returns true if a review with this entry is public. */
export const isShown = ({ state }: Pick<ReviewValue, 'state'>): boolean =>
  state === 'published' || state === 'unverified';
