import { isLegalForm, leiOf } from '@broker-transparency/matching';
import { mentionsClone } from '../../features/warnings/clone-words.rule.ts';
import type { WarningEntry } from './entry.rule.ts';
import { regulatorOf } from './licence.rule.ts';
import { dayAt, firstOf, hostsOf, plainWord, type SourceRow, unreadable, valuesOf } from './row.rule.ts';
import type { Place, WarningSource } from './source.rule.ts';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const saysClone = (row: SourceRow, more: readonly string[]): boolean => {
  const text = row.all().join('\n');
  const words = more.map((word) => escaped(plainWord(word))).join('|');
  return mentionsClone(text) || (words !== '' && new RegExp(`(?<!\\p{L})(?:${words})`, 'u').test(plainWord(text)));
};

/** Longest name that is kept: addresses with parameters stand among names. */
const MOST_LETTERS = 300;

/** Returns names with the legal forms that a comma parted from them: "Alpha", "Inc." is one name. */
const withForms = (names: readonly string[]): string[] => {
  const whole: string[] = [];
  for (const name of names) {
    const before = whole.at(-1);
    if (before !== undefined && isLegalForm(name)) whole[whole.length - 1] = `${before}, ${name}`;
    else whole.push(name);
  }
  return whole;
};

const addressOf = (text: string, base: string | undefined): string | null => {
  try {
    const { href, protocol } = new URL(text, base);
    return text !== '' && /^https?:$/.test(protocol) ? href : null;
  } catch {
    return null;
  }
};

/** A cell that only says yes, no or nothing is no category, and no text that anybody would read. */
const FLAG = /^(?:y|n|yes|no|true|false|none|null|nil|n\/?a|[01-])$/iu;

const wordsAt = (row: SourceRow, place: Place | undefined): string[] =>
  valuesOf(row, place).filter((text) => !FLAG.test(text));

/** Reads a row of an authority's list. @throws DomainError unreadable_file naming line and column */
export const warningEntry = (row: SourceRow, source: WarningSource): WarningEntry => {
  const { warned } = source;
  const { code, text } = regulatorOf(row, source);
  const written = [...valuesOf(row, warned.names), ...valuesOf(row, warned.otherNames)];
  const names = withForms(written).map((name) => name.slice(0, MOST_LETTERS).trim());
  const domains = hostsOf(valuesOf(row, warned.domains));
  if (names.length === 0 && domains.length === 0) throw unreadable(`${row.at}: names nobody`);
  return {
    at: row.at,
    authority: code,
    authorityText: text,
    id: firstOf(row, source.id) || null,
    names: [...new Set(names)],
    victims: [...new Set(valuesOf(row, warned.victims))],
    victimNumbers: [...new Set(valuesOf(row, warned.victimNumbers))],
    victimDomains: hostsOf(valuesOf(row, warned.victimDomains)),
    domains,
    numbers: valuesOf(row, warned.numbers),
    lei: leiOf(firstOf(row, warned.lei)) ?? null,
    date: dayAt(row, source.date, source) ?? null,
    updated: dayAt(row, source.updated, source) ?? null,
    url: addressOf(firstOf(row, source.url), source.urlBase),
    category: wordsAt(row, source.category)[0] ?? '',
    text: wordsAt(row, source.text).join('\n').slice(0, 2000),
    mentionsClone: saysClone(row, source.cloneWords),
  };
};
