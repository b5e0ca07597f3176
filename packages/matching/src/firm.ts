import { type DomainParts, domainParts, isShared } from './domains.ts';
import { parseLei, registerNumber } from './identifiers.ts';
import { type NameParts, nameParts } from './names.ts';

/** Role of a name of a firm. The firms of a group share brands. */
export type NameKind = 'legal' | 'trading' | 'former' | 'unknown';

/** Description of a firm. Unknown parts are absent. */
export interface Firm {
  readonly names: readonly { readonly text: string; readonly kind: NameKind }[];
  readonly leis?: readonly string[] | undefined;
  /** Domain names or addresses. */
  readonly domains?: readonly string[] | undefined;
  /** Numbers in registers, by the register's code. */
  readonly numbers?: readonly { readonly register: string; readonly number: string }[] | undefined;
  /** Countries of registration (ISO 3166). */
  readonly countries?: readonly string[] | undefined;
}

/** A firm in its form for comparison. */
export interface ReadFirm {
  readonly names: readonly { readonly parts: NameParts; readonly kind: NameKind }[];
  readonly leis: readonly string[];
  readonly domains: readonly DomainParts[];
  /** Each as `register number`. */
  readonly numbers: readonly { readonly register: string; readonly number: string }[];
  readonly countries: readonly string[];
}

/** Separators between names of one firm in one field. */
const ALIASES: readonly (readonly [RegExp, NameKind])[] = [
  [
    /[\s,;([]+(?:t\/a|trading\s+as|trading\s+name[:\s]|d\/b\/a|d\.b\.a\.?|dba|doing\s+business\s+as|a\/k\/a|a\.k\.a\.?|aka|also\s+known\s+as|operating\s+as|o\/a|brand(?:ed)?\s+as)[\s:]+/iu,
    'trading',
  ],
  [
    /[\s,;([]+(?:formerly(?:\s+known\s+as)?|f\/k\/a|fka|previously(?:\s+known\s+as)?|prev\.|ehemals|ex-)[\s:]+/iu,
    'former',
  ],
  [/\s+[/|]\s+|\s*;\s+/u, 'unknown'],
];

/** Returns the names in one field: "Alpha Ltd t/a AlphaFX" has two. */
export const namesIn = (text: string, kind: NameKind): Firm['names'] => {
  for (const [separator, next] of ALIASES) {
    const found = separator.exec(text);
    if (!found || found.index === 0) continue;
    const after = text.slice(found.index + found[0].length).replace(/[)\]]\s*$/, '');
    if (after.trim() === '') continue;
    const rest = next === 'unknown' ? kind : next;
    return [...namesIn(text.slice(0, found.index), kind), ...namesIn(after, rest)];
  }
  return [{ text: text.trim(), kind }];
};

const distinctBy = <T>(all: readonly T[], toKey: (one: T) => string): T[] =>
  [...new Map(all.map((one) => [toKey(one), one] as const).reverse()).values()].reverse();

/** Normalises the description of a firm. LEIs with wrong check digits and pages on platforms are left out. */
export const readFirm = ({ names, leis = [], domains = [], numbers = [], countries = [] }: Firm): ReadFirm => ({
  names: distinctBy(
    names
      .flatMap(({ text, kind }) => namesIn(text, kind))
      .map(({ text, kind }) => ({ parts: nameParts(text), kind }))
      .filter(({ parts }) => parts.compact !== ''),
    ({ parts, kind }) => `${kind} ${parts.whole} ${parts.isMixed}`,
  ),
  leis: [...new Set(leis.flatMap((lei) => parseLei(lei) ?? []))],
  domains: distinctBy(
    domains.flatMap((domain) => domainParts(domain) ?? []).filter((parts) => !isShared(parts)),
    ({ host }) => host,
  ),
  numbers: distinctBy(
    numbers
      .map(({ register, number }) => ({ register: register, number: registerNumber(number, register) }))
      .filter(({ number }) => number !== ''),
    ({ register, number }) => `${register} ${number}`,
  ),
  countries: [...new Set(countries.map((country) => country.toUpperCase()))],
});
