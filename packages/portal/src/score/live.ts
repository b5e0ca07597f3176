import type { Score } from '@broker-transparency/contract';
import { explainScore, METHODOLOGIES, type ScoreFacts, scoreByVersion } from '@broker-transparency/contract/score';
import { type Child, element as e } from '../elements.ts';
import type { Messages } from '../generated/messages.ts';
import { wordFor } from '../words.ts';
import { EXAMPLE_AT, FIELDS, type Inputs, type ScoreBase, toFacts } from './inputs.ts';
import { arithmeticView, type ViewContext } from './view.ts';

export type LiveTexts = Messages['live'];

/** Starting point of a page's arithmetic: the facts of a broker, or the example. */
export interface LiveStart {
  readonly version: string;
  /** The initial inputs. */
  readonly initial: Inputs;
  readonly base?: ScoreBase | undefined;
}

/** Computes the score for inputs by a version of the methodology. */
export const computeScore = (
  inputs: Inputs,
  { version, initial, base }: LiveStart,
): { facts: ScoreFacts; score: Score } => {
  const checklist = METHODOLOGIES.find((each) => each.version === version)?.checklist ?? [];
  const facts = toFacts(inputs, checklist, base, initial);
  return { facts, score: scoreByVersion(version)(facts, base?.computedAt ?? EXAMPLE_AT) };
};

/** Renders the value in large figures and as a word, and the steps of its computation. */
export const liveView = (shown: ViewContext, inputs: Inputs, start: LiveStart): { value: Child[]; steps: Child } => {
  const { facts, score } = computeScore(inputs, start);
  const word = wordFor(shown.texts.colors, score.color);
  const isMoved = start.base !== undefined && FIELDS.some(({ name }) => inputs[name] !== start.initial[name]);
  return {
    value: [
      e(
        'strong',
        { class: `live-value rated-${score.color}` },
        score.value === null ? '–' : shown.format.fixed(score.value, 1),
      ),
      ' ',
      e('span', { class: `rated-${score.color}` }, word),
      ...(isMoved ? [' ', e('strong', { class: 'live-moved' }, shown.texts.moved)] : []),
    ],
    steps: arithmeticView(shown, explainScore(facts, score, shown.write)),
  };
};
