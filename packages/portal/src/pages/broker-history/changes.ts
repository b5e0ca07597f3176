import type { Color } from '@broker-transparency/client';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { parseEntryKey } from '@broker-transparency/contract/record';
import type { HistoryChange } from '../../history.ts';
import { type Html, html, isolateText, toBdi } from '../../html.ts';
import type { TextContext } from '../../page.ts';
import { wordFor } from '../../words.ts';

/** The subject of an entry: a word, and its name if it has one. */
interface Subject {
  readonly word: string;
  readonly name?: string;
}

const findSubject = ({ texts }: TextContext, key: string): Subject => {
  const said = texts.history.subjects;
  const [kind = '', first = '', regulator = '', number = ''] = parseEntryKey(key);
  if (kind === 'license') return { word: said.license, name: `${regulator.toUpperCase()} ${number}` };
  if (kind === 'regulator') return { word: said.regulator, name: first.toUpperCase() };
  if (kind === 'dispute') return { word: said.dispute, name: first };
  if (kind === 'methodology') return { word: said.methodology, name: first };
  return { word: wordFor(said, kind) };
};

/** Returns the subjects of a change: reviews are counted, all others are named once. */
const listSubjects = (words: TextContext, { entries }: HistoryChange): Subject[] => {
  const { texts } = words;
  const others = entries.map(({ key }) => key).filter((key) => !key.startsWith('review/'));
  const reviews = entries.length - others.length;
  const named = others.map((key) => findSubject(words, key));
  return reviews === 0 ? named : [...named, { word: texts.history.reviews({ count: reviews }) }];
};

const renderSubjects = (words: TextContext, change: HistoryChange): Html[] =>
  listSubjects(words, change).map(({ word, name }) => html`${word}${name !== undefined && html` ${toBdi(name)}`}`);

/** Returns the subjects of a change as plain text, with isolated names. */
export const describeSubjects = (words: TextContext, change: HistoryChange): string[] =>
  listSubjects(words, change).map(({ word, name }) => (name === undefined ? word : `${word} ${isolateText(name)}`));

/** Returns the effect of a change on the score, in words. */
export const describeEffect = (
  { texts, format }: TextContext,
  { value, valueBefore }: Pick<HistoryChange, 'value' | 'valueBefore'>,
): string => {
  const said = texts.history.effects;
  if (value === null) return valueBefore === null ? said.none : said.unrated;
  if (valueBefore === undefined) return said.first;
  if (valueBefore === null) return said.rated;
  const points = Math.round((value - valueBefore) * 10) / 10;
  if (points === 0) return said.none;
  return points > 0 ? said.up({ points: format.fixed(points, 1) }) : said.down({ points: format.fixed(-points, 1) });
};

/** Renders a score with its word. */
export const scoreWords = ({ texts, format }: TextContext, value: number | null, color: Color): Html => {
  const word = wordFor(texts.colors, color);
  return value === null ? html`<b>${word}</b>` : html`<b>${format.fixed(value, 1)}</b> ${word}`;
};

interface ItemContext extends TextContext {
  /** True if there are proofs. */
  readonly isProven: boolean;
}

/** Renders a change: its time, contents and reason, the score after it, and links to read and prove it. */
export const changeItem = (words: ItemContext, slug: string, change: HistoryChange): Html => {
  const { texts, format } = words;
  const said = texts.history;
  const [first] = change.entries;
  const base = `${TRANSPARENCY_BASE_PATH}/brokers/${slug}`;
  const isOne = change.entries.length === 1;
  const numbers = isOne ? String(change.number) : `${first?.number}–${change.number}`;
  const cause = wordFor(said.causes, change.cause);
  const since = isOne ? change.validFrom : undefined;
  const isEarlier = since !== undefined && since.slice(0, 10) < change.time.slice(0, 10);
  return html`<li class="change">
<p class="change-time"><time datetime="${change.time}">${format.time(change.time)}</time></p>
<div><ul class="change-what">${renderSubjects(words, change).map((subject) => html`<li>${subject}</li>`)}</ul>
<p class="soft">${cause}${isEarlier && html` ${said.holdsSince({ day: format.day(since) })}`}</p></div>
<p class="change-score">${scoreWords(words, change.value, change.color)}<br><span class="soft">${describeEffect(words, change)}</span></p>
<p class="change-evidence soft">${said.entries({ count: change.entries.length, numbers })}: <a href="${base}/at?knownAt=${change.number}&amp;validAt=${change.time}">${said.asKnown}</a>${words.isProven && html`, <a href="${base}/proof?number=${change.number}">${said.proof}</a>`}</p>
</li>
`;
};
