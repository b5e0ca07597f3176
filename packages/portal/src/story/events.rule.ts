import type { BrokerAt } from '@broker-transparency/client/record';
import { parseEntryKey } from '@broker-transparency/contract/record';
import { decideWarningChange, type WarningChange, type WarningState } from '@broker-transparency/contract/score';

/** Kinds of events of a story. */
export type EventKind =
  | 'start'
  | 'licence'
  | 'warning'
  | 'name'
  | 'domain'
  | 'company'
  | 'status'
  | 'disclosures'
  | 'firm'
  | 'regulator'
  | 'reviews'
  | 'complaints'
  | 'methodology'
  | 'other';

/** An event, from one or more entries of one change of the record. */
export interface StoryEvent {
  readonly kind: EventKind;
  /** Keys of its entries. */
  readonly keys: readonly string[];
  /** Its subject: a name, a domain, the number of a licence, the authority that warns. */
  readonly subject?: string | undefined;
  /** Absent if the facts around the change were not read. */
  readonly effect?: 'added' | 'removed' | 'changed' | WarningChange | undefined;
  /** State before and after, as words of the record. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Countries whose clients sign with a legal entity now, or no longer: ISO 3166-1 alpha-2 codes. */
  readonly countries?: readonly string[] | undefined;
  /** Address of the source. */
  readonly source?: string | undefined;
}

interface FactsAround {
  readonly before: Pick<BrokerAt, 'facts'> | undefined;
  readonly after: Pick<BrokerAt, 'facts'>;
}

type Value = Readonly<Record<string, unknown>>;

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toRecord = (value: unknown): Value => (typeof value === 'object' && value !== null ? (value as Value) : {});

const findValue = (facts: Pick<BrokerAt, 'facts'> | undefined, key: string): Value | undefined =>
  facts?.facts.find((one) => one.key === key)?.value;

const listTexts = (value: unknown): string[] => toList(value).flatMap((one) => toText(one) ?? []);
const listNames = (value: unknown, field: string): string[] =>
  toList(value).flatMap((one) => toText(toRecord(one)[field]) ?? []);

/** Returns the source that a broker's entry names for a fact. */
const findSource = ({ provenance }: Value, fact: string): string | undefined =>
  toList(provenance)
    .map(toRecord)
    .flatMap((one) => (one['fact'] === fact ? (toText(one['sourceUrl']) ?? []) : []))[0];

type EventDraft = Omit<StoryEvent, 'keys'>;

/** Returns what was added to a list of texts, and what was taken away. */
const compareLists = (
  kind: EventKind,
  source: string | undefined,
  before: readonly string[],
  after: readonly string[],
): EventDraft[] => [
  ...after
    .filter((one) => !before.includes(one))
    .map((subject) => ({ kind, subject, effect: 'added' as const, source })),
  ...before
    .filter((one) => !after.includes(one))
    .map((subject) => ({ kind, subject, effect: 'removed' as const, source })),
];

/** Returns the countries whose clients sign with each legal entity, and whether it takes private clients. */
const listServing = (entities: unknown) =>
  new Map(
    toList(entities)
      .map(toRecord)
      .map((entity) => {
        const { countries, sourceUrl } = toRecord(entity['serves']);
        const served = { countries: listTexts(countries), source: toText(sourceUrl), retail: entity['retailClients'] };
        return [toText(entity['legalName']) ?? '', served] as const;
      }),
  );

/** Returns with which legal entities clients sign that did not before, and the other way round. */
const compareServing = (source: string | undefined, before: unknown, after: unknown): EventDraft[] => {
  const former = listServing(before);
  return [...listServing(after)].flatMap(([subject, now]): EventDraft[] => {
    const then = former.get(subject);
    const added = now.countries.filter((country) => !then?.countries.includes(country));
    const removed = then?.countries.filter((country) => !now.countries.includes(country)) ?? [];
    const shared = { kind: 'company', subject } as const;
    const isOther = then !== undefined && typeof then.retail === 'boolean' && typeof now.retail === 'boolean';
    return [
      ...(added.length > 0 ? [{ ...shared, effect: 'added' as const, countries: added, source: now.source }] : []),
      ...(removed.length > 0
        ? [{ ...shared, effect: 'removed' as const, countries: removed, source: now.source ?? then?.source }]
        : []),
      ...(isOther && then.retail !== now.retail
        ? [{ ...shared, effect: 'changed' as const, to: now.retail ? 'retail' : 'no_retail', source }]
        : []),
    ];
  });
};

const compareTexts = (kind: EventKind, source: string | undefined, from: unknown, to: unknown): EventDraft[] =>
  from === to ? [] : [{ kind, effect: 'changed', from: toText(from), to: toText(to), source }];

const listMet = ({ checklist }: Value): string[] =>
  toList(checklist)
    .map(toRecord)
    .flatMap(({ key, met }) => (met === true ? (toText(key) ?? []) : []));

const compareBrokers = (before: Value, after: Value): EventDraft[] => {
  const nameSource = findSource(after, 'name') ?? findSource(after, 'profile');
  const found = [
    ...compareTexts('name', nameSource, before['name'], after['name']),
    ...compareTexts('name', findSource(after, 'legalName'), before['legalName'], after['legalName']),
    ...compareLists(
      'name',
      findSource(after, 'tradingNames'),
      listTexts(before['tradingNames']),
      listTexts(after['tradingNames']),
    ),
    ...compareLists('domain', findSource(after, 'domains'), listTexts(before['domains']), listTexts(after['domains'])),
    ...compareLists(
      'company',
      findSource(after, 'entities'),
      listNames(before['entities'], 'legalName'),
      listNames(after['entities'], 'legalName'),
    ),
    ...compareServing(findSource(after, 'entities'), before['entities'], after['entities']),
    ...compareLists(
      'company',
      findSource(after, 'status'),
      listTexts(before['merged']),
      listTexts(after['merged']),
    ).map((event) => ({ ...event, to: 'merged' })),
    ...compareTexts('status', findSource(after, 'status'), before['status'], after['status']),
    ...(listMet(before).join() === listMet(after).join()
      ? []
      : [{ kind: 'disclosures' as const, effect: 'changed' as const, source: findSource(after, 'checklist') }]),
  ];
  return found.length > 0 ? found : [{ kind: 'firm' }];
};

const listStates = (value: Value | undefined): string =>
  [...new Set(listNames(value?.['holders'], 'status'))].toSorted().join(', ');

const compareLicenses = (subject: string, before: Value | undefined, after: Value | undefined): EventDraft => {
  const source = listNames((after ?? before)?.['holders'], 'sourceUrl')[0];
  const effect = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return {
    kind: 'licence',
    subject,
    effect,
    from: before && listStates(before),
    to: after && listStates(after),
    source,
  };
};

const toWarningState = (value: Value | undefined): WarningState | undefined =>
  value && {
    about: toText(value['about']) ?? '',
    match: toText(value['match']),
    withdrawnAt: toText(value['withdrawnAt']),
    correctedAt: toText(value['correctedAt']),
  };

const compareWarnings = (before: Value | undefined, after: Value | undefined): EventDraft => {
  const one = after ?? before ?? {};
  const to = one['about'] === 'this_firm' && one['match'] === 'unchecked' ? 'unchecked' : toText(one['about']);
  const shared = { kind: 'warning' as const, subject: toText(one['source']), to, source: toText(one['url']) };
  return { ...shared, effect: decideWarningChange(toWarningState(before), toWarningState(after)) };
};

const draftEvents = (key: string, facts: FactsAround | undefined): EventDraft[] => {
  const [kind, first = '', regulator = '', number = ''] = parseEntryKey(key);
  const before = findValue(facts?.before, key);
  const after = findValue(facts?.after, key);
  const isRead = facts !== undefined && (before ?? after) !== undefined;
  switch (kind) {
    case 'broker':
      return before && after ? compareBrokers(before, after) : [{ kind: 'firm' }];
    case 'license': {
      const subject = `${regulator.toUpperCase()} ${number}`;
      return isRead ? [compareLicenses(subject, before, after)] : [{ kind: 'licence', subject }];
    }
    case 'warning':
      return isRead ? [compareWarnings(before, after)] : [{ kind: 'warning' }];
    case 'regulator':
      return [{ kind, subject: first.toUpperCase() }];
    case 'methodology':
      return [{ kind, subject: first }];
    case 'complaints':
      return [{ kind }];
    default:
      return [{ kind: 'other' }];
  }
};

/**
 * Returns the events of one entry. An entry of a broker can be several, such as a new name and a new domain.
 * @param facts just before and just after its change; undefined: they were not read, so only the subject is known
 */
export const listFactEvents = (key: string, facts: FactsAround | undefined): StoryEvent[] =>
  draftEvents(key, facts).map((draft) => ({ ...draft, keys: [key] }));
