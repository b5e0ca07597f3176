import { mentionsClone } from '../../features/warnings/clone-words.rule.ts';
import { leiOf } from '../../matching/identifiers.rule.ts';
import type { WarningEntry } from './entry.rule.ts';
import { regulatorOf } from './licence.rule.ts';
import { dayAt, firstOf, hostsOf, plainWord, type SourceRow, unreadable, valuesOf } from './row.rule.ts';
import type { WarningSource } from './source.rule.ts';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const saysClone = (row: SourceRow, more: readonly string[]): boolean => {
  const text = row.all().join('\n');
  const words = more.map((word) => escaped(plainWord(word))).join('|');
  return mentionsClone(text) || (words !== '' && new RegExp(`(?<!\\p{L})(?:${words})`, 'u').test(plainWord(text)));
};

const addressOf = (text: string, base: string | undefined): string | null => {
  try {
    const { href, protocol } = new URL(text, base);
    return text !== '' && /^https?:$/.test(protocol) ? href : null;
  } catch {
    return null;
  }
};

/** Reads a row of an authority's list. @throws DomainError unreadable_file naming line and column */
export const warningEntry = (row: SourceRow, source: WarningSource): WarningEntry => {
  const { warned } = source;
  const { code, text } = regulatorOf(row, source);
  const written = valuesOf(row, warned.names);
  const others = valuesOf(row, warned.otherNames);
  const domains = hostsOf([...valuesOf(row, warned.domains), ...written]);
  // a list that mixes names with domains and addresses has names in what is neither
  const names = [...written, ...others].filter((name) => !name.includes('@') && hostsOf([name]).length === 0);
  if (names.length === 0 && domains.length === 0 && written.length === 0) throw unreadable(`${row.at}: names nobody`);
  return {
    at: row.at,
    authority: code,
    authorityText: text,
    id: firstOf(row, source.id) || null,
    names: [...new Set(names)],
    domains,
    numbers: valuesOf(row, warned.numbers),
    lei: leiOf(firstOf(row, warned.lei)) ?? null,
    date: dayAt(row, source.date, source) ?? null,
    updated: dayAt(row, source.updated, source) ?? null,
    url: addressOf(firstOf(row, source.url), source.urlBase),
    category: firstOf(row, source.category),
    text: [...valuesOf(row, source.text), ...(names.length + domains.length === 0 ? written : [])]
      .join('\n')
      .slice(0, 2000),
    mentionsClone: saysClone(row, source.cloneWords),
  };
};
