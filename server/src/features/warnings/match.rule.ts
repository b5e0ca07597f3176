import type { WarningState } from './warning.rule.ts';

/** A broker as warnings are compared with it. */
export interface MatchableBroker {
  readonly key: string;
  /** Its own key and those of the brokers that were merged into it. */
  readonly keys: readonly string[];
  readonly slug: string;
  readonly name: string;
  /** All names: its own, trading names, and those of its entities. */
  readonly names: readonly string[];
  readonly domains: readonly string[];
  readonly leis: readonly string[];
  readonly licenses: readonly { readonly regulator: string; readonly number: string; readonly holder: string }[];
}

/** What a broker and a warning have in common. */
export const EVIDENCE = {
  lei: 'the LEI',
  license_number: 'the licence number at the authority that warns',
  other_number: 'the licence number at another authority',
  domain: 'the domain',
  name: 'the name',
  similar_name: 'a similar name',
} as const;
export type EvidenceKind = keyof typeof EVIDENCE;

export interface Evidence {
  readonly kind: EvidenceKind;
  /** As the warning has it. */
  readonly theirs: string;
  /** As the broker has it. */
  readonly ours: string;
}

/** Why a person has to look at a match. */
export const DOUBTS = {
  mentions_clone: 'the warning speaks of a clone or an impersonation, and may name the victim',
  weak_evidence: 'neither an LEI nor the licence number at the authority that warns is the same',
  shared: 'the LEI or licence number is that of several brokers',
  names_another: 'the warning also fits another broker',
  unknown_name: 'the warning names a firm that this broker is not known as: perhaps somebody uses its number',
  unknown_domain: 'the warning names a domain that is not known as this broker’s: perhaps somebody uses its number',
  unnamed: 'the warning has neither a name nor a domain that is known as this broker’s',
  undone_before: 'a person took back a match on the same LEI or number before',
} as const;
export type Doubt = keyof typeof DOUBTS;

/** A broker that a warning may concern. */
export interface Found {
  readonly broker: MatchableBroker;
  readonly evidence: readonly Evidence[];
  /** The LEIs and numbers by which a match may count before a person has seen it. */
  readonly grounds: readonly string[];
  /** Empty: it counts at once. */
  readonly doubts: readonly Doubt[];
}

/** Returns a licence number without what people write between its signs, and without zeros at its beginning. */
export const plainNumber = (number: string): string =>
  number
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+(?=.)/, '');

/** How names and domains are compared. */
export interface Comparison {
  /** Returns one text for all spellings of a name that are surely the same; empty if it says nothing. */
  readonly nameKey: (name: string) => string;
  /** Returns the registrable domain of a host or an address; undefined if there is none. */
  readonly domainOf: (address: string) => string | undefined;
}

type Index = ReadonlyMap<string, readonly MatchableBroker[]>;

/** The brokers by everything that a warning can name. */
export interface BrokerIndex extends Comparison {
  readonly leis: Index;
  readonly numbers: Index;
  readonly domains: Index;
  readonly names: Index;
}

const indexed = (
  brokers: readonly MatchableBroker[],
  keysOf: (broker: MatchableBroker) => readonly string[],
): Index => {
  const index = new Map<string, MatchableBroker[]>();
  for (const broker of brokers)
    for (const key of new Set(keysOf(broker))) {
      if (key === '') continue;
      const known = index.get(key);
      if (known) known.push(broker);
      else index.set(key, [broker]);
    }
  return index;
};

const domainsOf = (addresses: readonly string[], { domainOf }: Comparison): string[] =>
  addresses.flatMap((address) => domainOf(address) ?? []);

export const indexBrokers = (brokers: readonly MatchableBroker[], comparison: Comparison): BrokerIndex => ({
  ...comparison,
  leis: indexed(brokers, ({ leis }) => leis),
  numbers: indexed(brokers, ({ licenses }) => licenses.map(({ number }) => plainNumber(number))),
  domains: indexed(brokers, ({ domains }) => domainsOf(domains, comparison)),
  names: indexed(brokers, ({ names }) => names.map(comparison.nameKey)),
});

/** What a warning names, as it is compared. */
type Named = Pick<WarningState, 'names' | 'domains' | 'leis' | 'licenseNumbers' | 'mentionsClone' | 'authority'>;

/** A number that says little: others have it by chance. */
const SHORTEST_NUMBER = 4;

/** Collects what each broker has in common with a warning. */
const evidenceIn = (warning: Named, index: BrokerIndex): Map<MatchableBroker, Evidence[]> => {
  const found = new Map<MatchableBroker, Evidence[]>();
  const add = (broker: MatchableBroker, evidence: Evidence): void => {
    const known = found.get(broker);
    if (known) known.push(evidence);
    else found.set(broker, [evidence]);
  };
  for (const lei of warning.leis)
    for (const broker of index.leis.get(lei) ?? []) add(broker, { kind: 'lei', theirs: lei, ours: lei });
  for (const number of warning.licenseNumbers) {
    const plain = plainNumber(number);
    for (const broker of index.numbers.get(plain) ?? []) {
      const own = broker.licenses.filter((one) => plainNumber(one.number) === plain);
      const there = own.find(({ regulator }) => regulator === warning.authority.code);
      if (there) add(broker, { kind: 'license_number', theirs: number, ours: `${there.regulator} ${there.number}` });
      else if (plain.length >= SHORTEST_NUMBER)
        add(broker, { kind: 'other_number', theirs: number, ours: `${own[0]?.regulator} ${own[0]?.number}` });
    }
  }
  for (const address of warning.domains) {
    const domain = index.domainOf(address);
    for (const broker of domain === undefined ? [] : (index.domains.get(domain) ?? []))
      add(broker, { kind: 'domain', theirs: address, ours: domain as string });
  }
  for (const name of warning.names) {
    const key = index.nameKey(name);
    for (const broker of key === '' ? [] : (index.names.get(key) ?? []))
      add(broker, { kind: 'name', theirs: name, ours: broker.names.find((one) => index.nameKey(one) === key) ?? '' });
  }
  return found;
};

const GROUNDS: ReadonlySet<EvidenceKind> = new Set(['lei', 'license_number']);
const NAMING: ReadonlySet<EvidenceKind> = new Set(['name', 'domain']);

/** Returns whether each of the warning's names, or domains, is known as this broker's. */
const knowsAll = (evidence: readonly Evidence[], kind: EvidenceKind, theirs: readonly string[]): boolean =>
  theirs.every((one) => evidence.some((known) => known.kind === kind && known.theirs === one));

const isShared = (warning: Named, index: BrokerIndex): boolean =>
  warning.leis.some((lei) => (index.leis.get(lei)?.length ?? 0) > 1) ||
  warning.licenseNumbers.some((number) => {
    const plain = plainNumber(number);
    const holders = (index.numbers.get(plain) ?? []).filter(({ licenses }) =>
      licenses.some((one) => one.regulator === warning.authority.code && plainNumber(one.number) === plain),
    );
    return holders.length > 1;
  });

const doubtsOf = (warning: Named, evidence: readonly Evidence[], others: number, index: BrokerIndex): Doubt[] => {
  const doubts: Partial<Record<Doubt, boolean>> = {
    mentions_clone: warning.mentionsClone,
    weak_evidence: !evidence.some(({ kind }) => GROUNDS.has(kind)),
    shared: isShared(warning, index),
    names_another: others > 0,
    unknown_name: !knowsAll(evidence, 'name', warning.names),
    unknown_domain: !knowsAll(
      evidence,
      'domain',
      warning.domains.filter((one) => index.domainOf(one) !== undefined),
    ),
    // an LEI that stands alone is surely that of the firm; a number that stands alone may be a slip
    unnamed: !evidence.some(({ kind }) => NAMING.has(kind) || kind === 'lei'),
  };
  return (Object.keys(DOUBTS) as Doubt[]).filter((doubt) => doubts[doubt]);
};

/**
 * Finds the brokers that a warning may concern. A match counts at once only if the LEI, or the licence number at the
 * authority that warns, is that of this broker alone, and nothing in the warning points to somebody else: no word of a
 * clone, no name and no domain that is not known as this broker's. Everything else waits for a person.
 */
export const findBrokers = (warning: Named, index: BrokerIndex): Found[] => {
  const found = evidenceIn(warning, index);
  return [...found].map(([broker, evidence]) => ({
    broker,
    evidence,
    grounds: evidence
      .filter(({ kind }) => GROUNDS.has(kind))
      .map(({ kind, theirs }) => `${kind}:${plainNumber(theirs)}`),
    doubts: doubtsOf(warning, evidence, found.size - 1, index),
  }));
};
