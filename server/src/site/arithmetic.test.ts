import { readFileSync } from 'node:fs';
import type { Score } from '@broker-transparency/contract';
import {
  type ExplainedScore,
  explainScore,
  type Formula,
  METHODOLOGIES,
  type PublishedRating,
  recomputeScore,
  type ScoreFacts,
  scoreByVersion,
} from '@broker-transparency/contract/score';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHtml } from '../../../packages/portal/src/elements.ts';
import * as de from '../../../packages/portal/src/generated/de.ts';
import * as en from '../../../packages/portal/src/generated/en.ts';
import { createStart } from '../../../packages/portal/src/pages/methodology/live.ts';
import { checkRating, checkView, type PublishedAnswer } from '../../../packages/portal/src/score/check.ts';
import { EXAMPLE } from '../../../packages/portal/src/score/inputs.ts';
import { computeScore } from '../../../packages/portal/src/score/live.ts';
import { createViewContext } from '../../../packages/portal/src/score/view.ts';
import { countComplaints } from '../features/complaints/summary.rule.ts';
import { RegulatorRecord } from '../features/regulators/record.rule.ts';
import { sumMonths } from '../features/reviews/months.rule.ts';
import { createDemoSet } from '../operate/demo/set.ts';
import { buildBroker } from '../published/brokers/build.rule.ts';

const file = new URL('../../data/regulators.json', import.meta.url);
const regulators = RegulatorRecord.array().parse(JSON.parse(readFileSync(file, 'utf8')));
const anchor = new Date('2026-11-21T00:00:00Z');
const VERSIONS = METHODOLOGIES.map(({ version }) => version);

/** The published answers of the demo. */
const demoAnswers = (): PublishedRating[] => {
  const { brokers, reviews, complaints } = createDemoSet({ anchor, regulators });
  const states = new Map(
    regulators.map(({ code, ...state }) => [code, { ...state, _id: code, registerReadAt: null }] as const),
  );
  return brokers.map(({ licenses = [], ...profile }) => {
    const own = <T extends { readonly broker: string }>(rows: readonly T[]): T[] =>
      rows.filter(({ broker }) => broker === profile.slug);
    const ratings = own(reviews).filter(({ status }) => status === 'published');
    const facts = {
      key: profile.slug,
      id: profile.slug,
      profile,
      licenses,
      regulators: states,
      ratingsByMonth: sumMonths(ratings),
      recentReviews: [],
      complaints: countComplaints(own(complaints), anchor),
    };
    return JSON.parse(JSON.stringify(buildBroker(facts, anchor.toISOString()))) as PublishedRating;
  });
};

/** An answer as a version would have published it. */
const publishAs = (version: string, answer: PublishedRating): PublishedAnswer => {
  const by = { ...answer, score: { ...answer.score, methodologyVersion: version } };
  return { ...by, score: recomputeScore(by) };
};

/** Computes the text of a formula, as anybody can. */
const evaluate = ({ text }: Formula): number => {
  const code = text
    .replaceAll('·', '*')
    .replaceAll('−', '-')
    .replaceAll('²', '**2')
    .replaceAll(';', ',')
    .replaceAll('ln(', 'Math.log(')
    .replaceAll('min(', 'Math.min(');
  return Number(new Function(`return ${code}`)());
};

const listFormulas = ({ components, sum, capped, effectiveReviews }: ExplainedScore): Formula[] => [
  ...components.flatMap(({ formulas, contribution }) => [...formulas, contribution]),
  sum,
  ...(capped ? [capped] : []),
  effectiveReviews,
];

/** Every line that is shown gives the number behind it, and the last one is the score. */
const expectSound = (facts: Omit<ScoreFacts, 'complaints'>, score: Score): void => {
  const made = explainScore(facts, score, String);
  for (const each of listFormulas(made)) {
    const result = evaluate(each);
    expect(Math.abs(result - each.result), `${each.name}: ${each.text} = ${each.result}`).toBeLessThan(1e-6);
  }
  if (made.capped) expect(Math.round(made.capped.result * 10) / 10).toBe(score.value);
  const months = made.components.find(({ key }) => key === 'userRating')?.months ?? [];
  const inputs = score.components.find(({ key }) => key === 'userRating')?.inputs ?? {};
  const sum = (of: (month: (typeof months)[number]) => number) => months.reduce((all, month) => all + of(month), 0);
  expect(sum(({ count, weight }) => count * weight)).toBeCloseTo(inputs['weight'] as number, 8);
  expect(sum(({ stars, weight }) => stars * weight)).toBeCloseTo(inputs['weightedStars'] as number, 8);
  const entities = made.components[0]?.formulas.filter(({ name }) => name === 'entity') ?? [];
  const strengths = entities.map(({ result }) => result);
  const { strongest, weakest } = score.components.find(({ key }) => key === 'regulation')?.inputs ?? {};
  if (strengths.length > 0) {
    expect(Math.max(...strengths)).toBe(strongest);
    expect(Math.min(...strengths)).toBe(weakest);
  }
};

const answers = demoAnswers();

describe.each(VERSIONS)('by methodology %s', (version) => {
  test('the arithmetic of every demo broker is that of its score, and the answer is equal', () => {
    expect(answers.length).toBeGreaterThan(20);
    for (const answer of answers) {
      const published = publishAs(version, answer);
      const checked = checkRating(published);
      if ('impossible' in checked) throw new Error(checked.impossible);
      expect(checked.comparison.differences).toEqual([]);
      expect(checked.comparison.compared).toBeGreaterThan(30);
      expectSound(published, checked.recomputed);
    }
  });

  test('inputs that nobody moved keep the score of every demo broker, and a moved one changes its part alone', () => {
    for (const answer of answers) {
      const published = publishAs(version, answer);
      const start = createStart(version, published as never);
      const score = recomputeScore(published);
      expect(computeScore(start.initial, start).score).toEqual(score);
      const moved = computeScore({ ...start.initial, met: start.initial.met === '0' ? '10' : '0' }, start).score;
      const changed = moved.components.filter(({ score: points }, at) => points !== score.components[at]?.score);
      expect(changed.map(({ key }) => key)).toEqual(['transparency']);
    }
    expect(computeScore(EXAMPLE, { version, initial: EXAMPLE }).score.rawValue).toBe(81.987300309);
  });

  test('every line of any score gives the number behind it', () => {
    const name = fc.constantFrom('A Ltd', 'B Ltd', 'C Ltd');
    const facts: fc.Arbitrary<ScoreFacts> = fc.record({
      status: fc.constantFrom('operating', 'ceased', 'merged', 'suspected_clone'),
      licensesCheckedAt: fc.constantFrom(null, '2026-01-01T00:00:00Z'),
      entities: fc.uniqueArray(fc.record({ legalName: name, retailClients: fc.boolean() }), {
        selector: ({ legalName }) => legalName,
      }),
      licenses: fc.array(
        fc.record({
          entity: fc.record({ legalName: name }),
          regulatorCode: fc.constantFrom('fca', 'nfa', 'cftc'),
          type: fc.constantFrom('authorisation', 'passport'),
          tier: fc.constantFrom(1, 2, 3, 4),
          status: fc.constantFrom('active', 'restricted', 'withdrawn'),
          activeSince: fc.constantFrom(undefined, '2001-02-03', '2020-12-31'),
        }),
      ),
      ratingsByMonth: fc
        .uniqueArray(
          fc.record({
            year: fc.integer({ min: 2020, max: 2027 }),
            stars: fc.array(fc.integer({ min: 100, max: 500 })),
          }),
          { selector: ({ year }) => year },
        )
        .map((years) =>
          years.map(({ year, stars }) => ({
            month: `${year}-07`,
            count: stars.length,
            sum: stars.reduce((sum, one) => sum + one, 0),
            sumOfSquares: stars.reduce((sum, one) => sum + one * one, 0),
            distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
          })),
        ),
      complaints: fc.nat(30).map((closed) => ({ closed, resolved: closed >> 1, timely: closed >> 2 })),
      checklist: fc.array(fc.record({ key: fc.constantFrom('fees', 'address'), met: fc.constantFrom(true, null) })),
      warnings: fc.array(fc.record({ about: fc.constantFrom('this_firm', 'clone_of_it') })),
    });
    fc.assert(
      fc.property(facts, (given) => {
        expectSound(given, scoreByVersion(version)(given, '2026-11-21T00:00:00Z'));
      }),
      { seed: 20_261_123, numRuns: 200 },
    );
  });
});

/** An answer that somebody changes. */
interface EditableAnswer {
  readonly score: { readonly components: { readonly inputs: object }[]; readonly caps: object[] };
}

describe('a published answer that does not follow', () => {
  const shown = { ...createViewContext(en), check: en.check };
  const right = publishAs('2026-1', answers[0] as PublishedRating);
  const page = { value: right.score.value, computedAt: right.score.computedAt };
  const renderText = (answer: PublishedAnswer, by = page): string => {
    const { verdict, details } = checkView(shown, checkRating(answer), by);
    return [...verdict, ...details].map((each) => toHtml(each).text).join('\n');
  };
  const changed = (change: (answer: EditableAnswer) => unknown): PublishedAnswer => {
    const copy = structuredClone(right);
    change(copy as unknown as EditableAnswer);
    return copy;
  };

  test('a published answer is equal before it is changed', () => {
    expect(renderText(right)).toContain(en.check.equal);
    expect(renderText(right)).not.toContain('outcome bad');
  });

  test.each<[string, (answer: EditableAnswer) => unknown, string]>([
    ['a value', ({ score }) => Object.assign(score, { value: 99.9 }), '<th scope="row">value</th><td>99.9</td>'],
    ['a color', ({ score }) => Object.assign(score, { color: 'gray' }), '<th scope="row">color</th>'],
    ['a weight', ({ score }) => Object.assign(score.components[0] ?? {}, { weight: 0.41 }), 'regulation.weight'],
    ['an input', ({ score }) => Object.assign(score.components[2]?.inputs ?? {}, { closed: 9999 }), 'inputs.closed'],
    ['an invented cap', ({ score }) => score.caps.push({ code: 'x', limit: 1, reason: '' }), 'caps.length'],
    ['a part that is gone', ({ score }) => score.components.pop(), 'components.longevity.score'],
    ['a fact', (answer) => Object.assign(answer, { licenses: [] }), 'components.regulation.score'],
    ['months of reviews', (answer) => Object.assign(answer, { ratingsByMonth: [] }), 'components.userRating'],
  ])('a changed answer is seen to differ by %s', (_, change, expected) => {
    const text = renderText(changed(change));
    expect(text).toContain(en.check.different);
    expect(text).toContain(expected);
    expect(text).not.toContain(en.check.equal);
  });

  test.each<[string, object]>([
    ['names no known version', { score: { ...right.score, methodologyVersion: '2125-1' } }],
    ['has no complaints', { complaintsByMonth: undefined }],
    ['is nothing at all', { score: undefined }],
  ])('an answer is not a score if it %s', (_, change) => {
    expect(renderText({ ...right, ...change } as PublishedAnswer)).toContain('outcome bad');
  });

  test('another value on the page is seen if it is of the same time, and not if it is of an older one', () => {
    expect(renderText(right, { ...page, value: 1.5 })).toContain('THIS PAGE SAYS 1.5');
    const older = renderText(right, { value: 1.5, computedAt: '2026-11-20T00:00:00.000Z' });
    expect(older).not.toContain('outcome bad');
    expect(older).toContain(en.check.newer({ time: '' }).slice(0, 40));
  });
});

test('names that people wrote are text, in both languages', () => {
  const hostile = '<img src=x onerror=alert(1)>\u202e"';
  const answer = publishAs('2026-1', {
    ...(answers[0] as PublishedRating),
    entities: [{ legalName: hostile, retailClients: true }],
  });
  for (const language of [en, de]) {
    const { details } = checkView(
      { ...createViewContext(language), check: language.check },
      checkRating(answer),
      answer.score,
    );
    const text = details.map((each) => toHtml(each).text).join('');
    expect(text).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;');
    expect(text).not.toContain('<img');
  }
});
