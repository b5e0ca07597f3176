import { toPercent } from '../charts/scale.ts';
import { type ScoreHistory, type ScorePoint, type StoryParts, scoreHistory } from '../charts/score-history.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';
import { addressFor } from '../parts/residence.ts';
import { LANES } from './lanes.ts';
import { MOST_SLOTS, splitIntoSlots } from './slots.rule.ts';
import type { StoryItem } from './story.rule.ts';

const renderLanes = ({ texts }: PageContext, items: readonly StoryItem[], shareAt: (time: number) => number): Html => {
  const said = texts.story;
  return html`${LANES.map((kind) => {
    const times = items.flatMap(({ step, events }) =>
      events.filter((event) => event.kind === kind).map(() => Date.parse(step.time)),
    );
    if (times.length === 0) return null;
    const name = said.lanes[kind];
    return html`<p class="chart-lane-name">${name}</p><svg class="chart-lane" role="img"><title>${said.lane({ name, count: said.events({ count: times.length }) })}</title><line class="chart-grid" x1="0%" x2="100%" y1="50%" y2="50%"/>${[
      ...new Set(times),
    ].map((time) => html`<circle class="chart-dot" cx="${toPercent(shareAt(time))}" cy="50%" r="5"/>`)}</svg>
`;
  })}`;
};

/** Renders links over parts of the time of a chart. Each shows its score while it has the focus or the pointer. */
const renderSlots = (context: PageContext, slug: string, points: readonly ScorePoint[]): Html => {
  const { texts, format } = context;
  const formatScore = (value: number | null): string => (value === null ? texts.colors.gray : format.fixed(value, 1));
  const dayAddress = (day: string): string => `${addressFor(context, `/brokers/${slug}/history`, { on: day })}#on`;
  const slots = splitIntoSlots(points);
  const describeSlot = (slot: (typeof slots)[number]): string => {
    const [from, to] = [format.day(slot.from), format.day(slot.to)];
    const [first, last] = [formatScore(slot.first), formatScore(slot.last)];
    return first === last ? texts.story.slotSame({ from, to, last }) : texts.story.slot({ from, to, first, last });
  };
  // their number is known from the start, so that none moves while the others load
  return html`<ul class="chart-slots${slots.length === MOST_SLOTS && ' chart-slots-all'}">${slots.map(
    (slot) =>
      html`<li><a href="${dayAddress(slot.to.slice(0, 10))}"><span class="chart-tip">${describeSlot(slot)}</span></a></li>`,
  )}</ul>
`;
};

/**
 * Renders the score over time with the events of the story below it, on the same axis.
 * @param hasLinks false: nothing of it can be pressed
 */
export const storyChart = (
  context: PageContext,
  broker: Parameters<typeof scoreHistory>[1],
  {
    history,
    items,
    hasLinks,
  }: {
    readonly history: ScoreHistory;
    readonly items: readonly StoryItem[];
    readonly hasLinks: boolean;
  },
): Html => {
  const parts: StoryParts = {
    renderSlots: (points) => (hasLinks ? renderSlots(context, broker.slug, points) : undefined),
    renderLanes: (shareAt) => renderLanes(context, items, shareAt),
  };
  return scoreHistory(context, broker, history, parts);
};
