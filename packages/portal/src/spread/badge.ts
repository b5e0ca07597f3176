import type { BrokerDetail } from '@broker-transparency/client';
import { groupWarnings } from '@broker-transparency/contract/score';
import { html } from '../html.ts';
import type { TextContext } from '../page.ts';
import { SERVICE_NAME } from '../service.ts';
import { cut } from './cut.ts';

/** Rating colors on light and on dark. Alarms and ratings share colors: the word distinguishes them. */
const COLORS = {
  green: ['#1b7742', '#6dd194'],
  yellow: ['#8a6100', '#e5c062'],
  red: ['#b3261e', '#ff8f85'],
  gray: ['#5c6873', '#a5b1bc'],
} as const;
type BadgeColor = keyof typeof COLORS;

const toBadgeColor = (color: string): BadgeColor => (color in COLORS ? (color as BadgeColor) : 'gray');

type BadgeBroker = Pick<
  BrokerDetail,
  'name' | 'status' | 'warnings' | 'color' | 'score' | 'licenseCounts' | 'updatedAt'
>;

/** Returns the state of the warnings about this broker: `unconfirmed` if only an automatic match names this firm. */
const findWarning = ({ warnings }: BadgeBroker): 'warned' | 'unconfirmed' | undefined => {
  const { confirmed, unchecked } = groupWarnings(warnings);
  if (confirmed.length > 0) return 'warned';
  return unchecked.length > 0 ? 'unconfirmed' : undefined;
};

/** Returns the text of a badge, in one line. A warning precedes every number. */
export const describeBadge = (
  broker: BadgeBroker,
  { texts, format }: TextContext,
): { readonly line: string; readonly color: BadgeColor } => {
  const { status, score } = broker;
  const said = texts.spread;
  if (status === 'suspected_clone') return { line: said.clone, color: 'red' };
  const warning = findWarning(broker);
  if (warning) return { line: said[warning], color: 'red' };
  if (status === 'ceased' || status === 'merged') return { line: said.ended, color: 'gray' };
  const color = toBadgeColor(broker.color);
  if (broker.licenseCounts.confirmed === 0) return { line: texts.licences.none, color };
  if (score.value === null) return { line: said.unrated, color: 'gray' };
  return { line: said.score({ value: format.number(score.value), word: texts.colors[color] }), color };
};

/** Maximum widths of names: in the line of the badge, and in its title. */
const [LINE, TITLE] = [25, 60];

/**
 * Renders the badge of a broker as SVG of at most 2 kB: the statement, its source and time, and no sign of approval.
 */
export const badgeSvg = (broker: BadgeBroker, context: TextContext): string => {
  const { texts, format } = context;
  const { line, color } = describeBadge(broker, context);
  const [light, dark] = COLORS[color];
  const said = texts.spread.said({ service: SERVICE_NAME, day: format.day(broker.updatedAt) });
  const style =
    `text{font:16px system-ui,sans-serif;fill:#16202b}.n{font-weight:600}.s{font-size:13px;fill:#4f5d6b}` +
    `.b{fill:#fff;stroke:#cdd6de}.c{fill:${light}}@media(prefers-color-scheme:dark){text{fill:#e4eaf0}.s{fill:#a8b5c2}` +
    `.b{fill:#0f151b;stroke:#384653}.c{fill:${dark}}}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="304" height="96" viewBox="0 0 304 96" role="img" aria-labelledby="t d" xml:lang="${texts.code}"><title id="t">${cut(broker.name, TITLE)}: ${line}</title><desc id="d">${said}. ${texts.spread.noAdvice}</desc><style>${style}</style><rect class="b" x=".5" y=".5" width="303" height="95" rx="4"/><rect class="c" x="1" y="1" width="8" height="94"/><svg x="24" width="268" height="96"><text class="n" y="30">${cut(broker.name, LINE)}</text><text y="54">${line}</text><text class="s" y="79">${said}</text></svg></svg>`
    .text;
};
