import { type DomainParts, domainParts, isShared, plainNumber, registerNumber } from '@broker-transparency/matching';
import { type NormalName, normalName } from './normal.rule.ts';

interface SourcedValue {
  /** Path of the fact in the value of the entry. */
  readonly fact: string;
  readonly value: string;
  readonly source: string | null;
}

/** A published fact that a query can match, normalised. */
export type Fact = SourcedValue &
  (
    | { readonly field: 'name'; readonly name: NormalName }
    | { readonly field: 'lei'; readonly normal: string }
    | { readonly field: 'domain'; readonly parts: DomainParts }
    | {
        readonly field: 'licenseNumber';
        readonly normal: string;
        /** Normalised by the rules of its regulator. */
        readonly number: string;
        readonly regulator: string;
      }
  );

/** Facts of an entry about a broker, as far as they are screened. */
export interface LookAlikeFacts {
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  readonly facts: readonly Fact[];
}

interface ScreenedProfile {
  readonly slug: string;
  readonly name: string;
  readonly legalName: string;
  readonly status: string;
  readonly tradingNames?: readonly string[];
  readonly lei?: string;
  readonly website?: string;
  readonly domains?: readonly string[];
  readonly entities?: readonly { readonly legalName: string; readonly lei?: string }[];
  readonly predecessors?: readonly { readonly name: string }[];
  readonly provenance?: readonly { readonly fact: string; readonly sourceUrl: string }[];
}

const toNameFact = (told: SourcedValue): Fact => ({ ...told, field: 'name', name: normalName(told.value) });
const toLeiFact = (told: SourcedValue): Fact => ({ ...told, field: 'lei', normal: told.value });
const toDomainFacts = (told: SourcedValue): Fact[] => {
  const parts = domainParts(told.value);
  return parts === undefined || isShared(parts) ? [] : [{ ...told, field: 'domain', parts }];
};

const toComparedText = (fact: Fact): string =>
  fact.field === 'name' ? fact.name.whole : fact.field === 'domain' ? fact.parts.host : fact.normal;

/** Removes duplicate facts: a brand often has the name of its firm. */
const dedupeFacts = (facts: readonly Fact[]): Fact[] => {
  const seen = new Map<string, Fact>();
  for (const fact of facts) {
    const key = `${fact.field} ${toComparedText(fact)}`;
    if (!seen.has(key)) seen.set(key, fact);
  }
  return [...seen.values()];
};

/** Returns the facts of a broker's profile. */
export const profileFacts = (value: unknown): LookAlikeFacts => {
  const profile = value as ScreenedProfile;
  const { slug, name, legalName, status, provenance = [], entities = [] } = profile;
  const findSource = (fact: string): string | null => provenance.find((one) => one.fact === fact)?.sourceUrl ?? null;
  const toSourced = (fact: string, of: string | undefined, text = fact): SourcedValue[] =>
    of === undefined ? [] : [{ fact: text, value: of, source: findSource(fact) }];
  const toSourcedList = (fact: string, all: readonly string[] = []): SourcedValue[] =>
    all.flatMap((one, at) => toSourced(fact, one, `${fact}/${at}`));
  const names = [
    ...toSourced('name', name),
    ...toSourced('legalName', legalName),
    ...toSourcedList('tradingNames', profile.tradingNames),
    ...entities.flatMap((entity, at) => toSourced('entities', entity.legalName, `entities/${at}/legalName`)),
    ...(profile.predecessors ?? []).flatMap((one, at) =>
      toSourced('predecessors', one.name, `predecessors/${at}/name`),
    ),
  ];
  const leis = [
    ...toSourced('lei', profile.lei),
    ...entities.flatMap((entity, at) => toSourced('entities', entity.lei, `entities/${at}/lei`)),
  ];
  const domains = [...toSourcedList('domains', profile.domains), ...toSourced('website', profile.website)];
  const facts = dedupeFacts([...names.map(toNameFact), ...leis.map(toLeiFact), ...domains.flatMap(toDomainFacts)]);
  return { slug, name, status, facts };
};

/** Returns the facts of a licence. The profile has the names of its holders. */
export const licenseFacts = (value: unknown): Fact[] => {
  const { regulator, number, holders } = value as {
    regulator: string;
    number: string;
    holders: readonly { lei?: string; sourceUrl?: string }[];
  };
  const source = holders[0]?.sourceUrl ?? null;
  const normal = plainNumber(number);
  return dedupeFacts([
    ...(normal === ''
      ? []
      : [
          {
            field: 'licenseNumber',
            fact: 'number',
            value: number,
            source,
            normal,
            number: registerNumber(number, regulator),
            regulator,
          } as const,
        ]),
    ...holders.flatMap(({ lei, sourceUrl = null }, at) =>
      lei === undefined ? [] : [toLeiFact({ fact: `holders/${at}/lei`, value: lei, source: sourceUrl })],
    ),
  ]);
};
