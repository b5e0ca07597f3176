import { isLegalForm, parseLei } from '@broker-transparency/matching';
import {
  type ColumnSelector,
  normaliseWord,
  type Row,
  readDay,
  readFirst,
  readValues,
  UnreadableFileError,
} from '@broker-transparency/tables/rules';
import { mentionsClone } from '../../features/warnings/clone-words.rule.ts';
import type { WarningEntry } from './entry.rule.ts';
import { parseHosts } from './hosts.rule.ts';
import { readRegulator } from './licence.rule.ts';
import type { WarningSource } from './source.rule.ts';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const saysClone = (row: Row, more: readonly string[]): boolean => {
  const text = row.all().join('\n');
  const words = more.map((word) => escapePattern(normaliseWord(word))).join('|');
  return mentionsClone(text) || (words !== '' && new RegExp(`(?<!\\p{L})(?:${words})`, 'u').test(normaliseWord(text)));
};

/** Maximum length of a name: lists have addresses with parameters among the names. */
const MOST_LETTERS = 300;

/** Returns names joined with the legal forms after a comma: "Alpha", "Inc." is one name. */
const joinLegalForms = (names: readonly string[]): string[] => {
  const whole: string[] = [];
  for (const name of names) {
    const before = whole.at(-1);
    if (before !== undefined && isLegalForm(name)) whole[whole.length - 1] = `${before}, ${name}`;
    else whole.push(name);
  }
  return whole;
};

const parseAddress = (text: string, base: string | undefined): string | null => {
  try {
    const { href, protocol } = new URL(text, base);
    return text !== '' && /^https?:$/.test(protocol) ? href : null;
  } catch {
    return null;
  }
};

/** Pattern of cells that only say yes, no or nothing: they are no category and no text for readers. */
const FLAG = /^(?:y|n|yes|no|true|false|none|null|nil|n\/?a|[01-])$/iu;

const readWords = (row: Row, place: ColumnSelector | undefined): string[] =>
  readValues(row, place).filter((text) => !FLAG.test(text));

/** Parses a row of an authority's list. @throws UnreadableFileError with line and column */
export const toWarningEntry = (row: Row, source: WarningSource): WarningEntry => {
  const { warned } = source;
  const { code, text } = readRegulator(row, source);
  const written = [...readValues(row, warned.names), ...readValues(row, warned.otherNames)];
  const names = joinLegalForms(written).map((name) => name.slice(0, MOST_LETTERS).trim());
  const domains = parseHosts(readValues(row, warned.domains));
  if (names.length === 0 && domains.length === 0) throw new UnreadableFileError(`${row.at}: names nobody`);
  return {
    at: row.at,
    authority: code,
    authorityText: text,
    id: readFirst(row, source.id) || null,
    names: [...new Set(names)],
    victims: [...new Set(readValues(row, warned.victims))],
    victimNumbers: [...new Set(readValues(row, warned.victimNumbers))],
    victimDomains: parseHosts(readValues(row, warned.victimDomains)),
    domains,
    numbers: readValues(row, warned.numbers),
    lei: parseLei(readFirst(row, warned.lei)) ?? null,
    date: readDay(row, source.date, source) ?? null,
    updated: readDay(row, source.updated, source) ?? null,
    url: parseAddress(readFirst(row, source.url), source.urlBase),
    category: readWords(row, source.category)[0] ?? '',
    text: readWords(row, source.text).join('\n').slice(0, 2000),
    mentionsClone: saysClone(row, source.cloneWords),
  };
};
