import type { Score } from '@broker-transparency/contract';
import { explainScore, type PublishedRating, recomputeScore } from '@broker-transparency/contract/score';
import { type Child, element as e } from '../elements.ts';
import type { Messages } from '../generated/messages.ts';
import { compareScores, type ScoreComparison, type ScoreDifference } from './compare.ts';
import { scrollTable } from './table.ts';
import { arithmeticView, type ViewContext } from './view.ts';

type CheckTexts = Messages['check'];

/** The rating that a page shows. */
export interface PageScore {
  readonly value: number | null;
  readonly computedAt: string;
}

/** The published answer about a broker, unchecked. */
export type PublishedAnswer = PublishedRating & { readonly score: Score };

/** Result of a check, or the reason why nothing can be computed. */
export type CheckResult =
  | { readonly answer: PublishedAnswer; readonly recomputed: Score; readonly comparison: ScoreComparison }
  | { readonly impossible: string };

/** Recomputes a published answer, and compares every number of its score. */
export const checkRating = (answer: PublishedAnswer): CheckResult => {
  try {
    const recomputed: Score = recomputeScore(answer);
    return { answer, recomputed, comparison: compareScores(answer.score, recomputed) };
  } catch (error) {
    return { impossible: (error as Error).message };
  }
};

/** Context for showing a check. */
export interface CheckContext extends ViewContext {
  readonly check: CheckTexts;
}

/** A short verdict, which is announced, and its reasons. */
export interface CheckVerdict {
  readonly verdict: readonly Child[];
  readonly details: readonly Child[];
}

/** Renders a box with an outcome. */
export const renderOutcome = (kind: 'good' | 'unsure' | 'bad', title: string, ...lines: readonly string[]): Child =>
  e(
    'div',
    { class: `outcome ${kind}` },
    e('p', {}, e('strong', {}, title)),
    lines.map((line) => e('p', {}, line)),
  );

const differencesTable = ({ check }: CheckContext, differences: readonly ScoreDifference[]): Child =>
  scrollTable(
    check.differences,
    [check.part, check.published, check.recomputed].map((text) => e('th', { scope: 'col' }, text)),
    differences.map(({ part, published, recomputed }) =>
      e('tr', {}, e('th', { scope: 'row' }, part), e('td', {}, published), e('td', {}, recomputed)),
    ),
  );

/** Returns whether the page and the answer of the same time have different values. */
const pageDiffers = (page: PageScore, { value, computedAt }: Score): boolean =>
  page.computedAt === computedAt && page.value !== value;

const formatValue = ({ texts, format }: ViewContext, value: number | null): string =>
  value === null ? (texts.colors['gray'] as string) : format.fixed(value, 1);

/** Renders the result of a check, in words and numbers. */
export const checkView = (shown: CheckContext, checked: CheckResult, page: PageScore): CheckVerdict => {
  const { check, format } = shown;
  if ('impossible' in checked)
    return {
      verdict: [renderOutcome('bad', check.different, check.cannot({ why: checked.impossible }), check.report)],
      details: [],
    };
  const { answer, recomputed, comparison } = checked;
  const { compared, differences } = comparison;
  const isPageOld = page.computedAt !== answer.score.computedAt;
  const time = format.time(recomputed.computedAt);
  const wrongPage =
    pageDiffers(page, answer.score) &&
    check.pageSays({ page: formatValue(shown, page.value), answer: formatValue(shown, answer.score.value) });
  const verdict =
    differences.length === 0
      ? renderOutcome(
          'good',
          check.equal,
          check.equalCount({ count: compared }),
          (isPageOld ? check.newer : check.computedAt)({ time }),
        )
      : renderOutcome('bad', check.different, check.differentCount({ count: differences.length }), check.report);
  return {
    verdict: [...(wrongPage ? [renderOutcome('bad', wrongPage)] : []), verdict],
    details: [
      ...(differences.length > 0 ? [differencesTable(shown, differences)] : []),
      arithmeticView(shown, explainScore(answer, recomputed, shown.write)),
    ],
  };
};
