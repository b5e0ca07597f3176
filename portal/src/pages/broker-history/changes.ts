import type { Color } from '@broker-transparency/client';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { partsOfKey } from '@broker-transparency/contract/record';
import type { LastSteps, Step } from '../../history.ts';
import { type Html, html, written } from '../../html.ts';
import type { PageContext } from '../../page.ts';
import { wordFor } from '../../words.ts';

type Words = Pick<PageContext, 'texts' | 'format'>;

/** Entries that got their numbers together: in between them half of a change would show. */
export interface Change {
  readonly steps: readonly [Step, ...Step[]];
  /** The score after the last of them; null: not rated. */
  readonly value: number | null;
  /** Undefined: nothing is known of the score before. */
  readonly valueBefore: number | null | undefined;
  /** Whether more of it is on the page before or after this one. */
  readonly isPart?: boolean;
}

const isTogether = (one: Step | undefined, other: Step | undefined): boolean =>
  one !== undefined && one.time === other?.time && one.cause === other.cause;

/** Puts steps together that belong together, oldest first. */
export const changesOf = ({
  steps,
  valueBefore,
  around,
}: Pick<LastSteps, 'steps' | 'valueBefore' | 'around'>): Change[] => {
  const groups: [Step, ...Step[]][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && isTogether(last[0], step)) last.push(step);
    else groups.push([step]);
  }
  let value = valueBefore;
  return groups.map((steps) => {
    const before = value;
    value = (steps.at(-1) as Step).value;
    const isPart = isTogether(around[0], steps[0]) || isTogether(around[1], steps.at(-1));
    return { steps, value, valueBefore: before, isPart };
  });
};

/** What an entry is about. */
const subjectOf = ({ texts }: Words, { kind, key }: Step): Html => {
  const said = texts.history.subjects;
  const [, first = '', regulator = '', number = ''] = partsOfKey(key);
  if (kind === 'license') return html`${said.license} ${written(`${regulator.toUpperCase()} ${number}`)}`;
  if (kind === 'regulator') return html`${said.regulator} ${written(first.toUpperCase())}`;
  if (kind === 'methodology') return html`${said.methodology} ${written(first)}`;
  return html`${wordFor(said, kind)}`;
};

/** What a change is about: reviews are counted, everything else is named once. */
const subjectsOf = (words: Words, { steps }: Change): Html[] => {
  const { texts, format } = words;
  const reviews = steps.filter(({ kind }) => kind === 'review').length;
  const others = new Map(steps.filter(({ kind }) => kind !== 'review').map((step) => [step.key, step]));
  const named = [...others.values()].map((step) => subjectOf(words, step));
  return reviews === 0 ? named : [...named, html`${format.plural(reviews, texts.history.reviews)}`];
};

/** What a change did to the score, in words. */
export const effectOf = ({ texts, format }: Words, { value, valueBefore, isPart }: Change): string => {
  const said = texts.history.effects;
  if (isPart) return said.part;
  if (value === null) return valueBefore === null ? said.none : said.unrated;
  if (valueBefore === undefined) return said.first;
  if (valueBefore === null) return said.rated;
  const points = Math.round((value - valueBefore) * 10) / 10;
  if (points === 0) return said.none;
  return points > 0 ? said.up(format.fixed(points, 1)) : said.down(format.fixed(-points, 1));
};

/** A score with its word. */
export const scoreWords = ({ texts, format }: Words, value: number | null, color: Color): Html => {
  const word = wordFor(texts.colors, color);
  return value === null ? html`<b>${word}</b>` : html`<b>${format.fixed(value, 1)}</b> ${word}`;
};

interface ItemWords extends Words {
  /** Whether there are proofs. */
  readonly isProven: boolean;
}

/** One change: when, what, why, what the score was then, and where all of this can be read and proven. */
export const changeItem = (words: ItemWords, slug: string, change: Change): Html => {
  const { texts, format } = words;
  const said = texts.history;
  const [first, last] = [change.steps[0], change.steps.at(-1) as Step];
  const base = `${TRANSPARENCY_BASE_PATH}/brokers/${slug}`;
  const numbers = first === last ? String(first.number) : `${first.number}–${last.number}`;
  const cause = wordFor(said.causes, first.cause);
  const since = first === last ? first.validFrom : undefined;
  const isEarlier = since !== undefined && since.slice(0, 10) < first.time.slice(0, 10);
  return html`<li class="change">
<p class="change-time"><time datetime="${last.time}">${format.time(last.time)}</time></p>
<div><ul class="change-what">${subjectsOf(words, change).map((subject) => html`<li>${subject}</li>`)}</ul>
<p class="soft">${cause}${isEarlier && html` ${said.holdsSince(format.day(since))}`}</p></div>
<p class="change-score">${scoreWords(words, change.value, last.color)}<br><span class="soft">${effectOf(words, change)}</span></p>
<p class="change-evidence soft">${said.entries(numbers)}: <a href="${base}/at?knownAt=${last.number}&amp;validAt=${last.time}">${said.asKnown}</a>${words.isProven && html`, <a href="${base}/proof?number=${last.number}">${said.proof}</a>`}</p>
</li>
`;
};
