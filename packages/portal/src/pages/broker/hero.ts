import { type Html, html, toBdi } from '../../html.ts';

import { licenseWords } from '../../parts/license-words.ts';
import { addressFor } from '../../parts/residence.ts';
import { COLOR_FROM } from '../../score/colors.ts';
import { wordFor } from '../../words.ts';
import { type BrokerView, day, facts, ratingWord } from './parts.ts';
import { capEffect, groupNewestFirst, hasEnded, isClone, isEvidenceShown, type Warning } from './state.rule.ts';
import { verdict } from './verdict.ts';

/** Length from which names are set smaller, to leave room on a phone. */
const LONG_NAME = 48;
/** Beginnings of the colors on the scale; the style of its labels has the same shares. */
const ZONES = [
  ['red', 0, COLOR_FROM.yellow],
  ['yellow', COLOR_FROM.yellow, COLOR_FROM.green],
  ['green', COLOR_FROM.green, 100],
] as const;

/** Renders the newest of some warnings, with a link to all of them. */
const warningLine = ({ context, texts }: BrokerView, { source, title, publishedAt, dating }: Warning): Html => html`
<p class="alarm-line">${toBdi(source)}, ${dating !== undefined && html`${texts.warnings.byDay} `}${day(context, publishedAt)}: <a href="#warnings">${toBdi(title)}</a></p>`;

const box = (
  kind: 'hero-alarm' | 'hero-alarm unconfirmed' | 'hero-notice',
  title: string,
  body: readonly (Html | false)[],
): Html => html`
<section class="${kind}"><h2>${title}</h2>${body}</section>`;

/**
 * Renders alarms before everything else: a suspected clone, warnings in force, and a firm without a confirmed licence.
 */
const alarms = (view: BrokerView): Html[] => {
  const { context, texts, broker } = view;
  const { confirmed, unchecked, clone } = groupNewestFirst(broker.warnings);
  const { plural } = context.format;
  const isSuspect = isClone(broker);
  const [newest] = confirmed;
  const [unsure] = unchecked;
  const [victim] = clone;
  return [
    ...(isSuspect || newest
      ? [
          box('hero-alarm', isSuspect ? texts.alarm.clone : plural(confirmed.length, texts.alarm.warned), [
            isSuspect && html`<p>${texts.alarm.cloneText}</p>`,
            newest !== undefined && warningLine(view, newest),
          ]),
        ]
      : []),
    ...(unsure
      ? [
          box('hero-alarm unconfirmed', plural(unchecked.length, texts.alarm.unchecked), [
            warningLine(view, unsure),
            html`<p>${texts.alarm.uncheckedText}</p>`,
          ]),
        ]
      : []),
    ...(!isSuspect && !hasEnded(broker) && broker.licenseCounts.confirmed === 0
      ? [
          box('hero-alarm', texts.alarm.unlicensed, [
            html`<p>${texts.alarm.unlicensedText} <a href="#licences">${texts.alarm.unlicensedLink}</a></p>`,
          ]),
        ]
      : []),
    ...(victim
      ? [
          box('hero-notice', texts.alarm.impersonated, [
            warningLine(view, victim),
            html`<p>${texts.alarm.impersonatedText}</p>`,
          ]),
        ]
      : []),
  ];
};

const endedNotice = ({ context, texts, broker, successor }: BrokerView): Html | false =>
  hasEnded(broker) &&
  box('hero-notice', broker.status === 'merged' ? texts.ended.merged : texts.ended.ceased, [
    html`<p>${texts.ended.text}</p>`,
    broker.successor !== undefined &&
      html`<p>${texts.ended.successor} <a href="${addressFor(context, `/brokers/${broker.successor}`)}">${toBdi(successor ?? broker.successor)}</a>.</p>`,
  ]);

const scale = ({ context, texts, broker }: BrokerView): Html => {
  const { value, color } = broker.score;
  const words = context.texts.colors;
  const label =
    value === null ? texts.hero.emptyScale : texts.hero.scale(context.format.fixed(value, 1), wordFor(words, color));
  return html`
<div class="scale">
<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img"><title>${label}</title>${ZONES.map(
    ([zone, from, to]) =>
      html`<rect class="zone${zone === color && ` zone-${zone}`}" x="${from + 0.2}" width="${to - from - 0.4}" y="2" height="6"/>`,
  )}${value !== null && html`<rect class="scale-mark" x="${Math.min(99, Math.max(0, value - 0.5))}" width="1" y="0" height="10"/>`}</svg>
<ol aria-hidden="true">${ZONES.map(
    ([zone, from]) => html`<li${zone === color && html` class="current"`}><span>${from}</span> ${words[zone]}</li>`,
  )}<li class="scale-end">100</li></ol>
</div>`;
};

const scoreBlock = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { value, color } = broker.score;
  return html`
<div class="score-block">
<p class="score-line">${
    value !== null &&
    html`<span class="score-value">${context.format.fixed(value, 1)}</span> <span class="score-of">${texts.hero.outOf}</span> `
  }${ratingWord(context, color)}</p>
${scale(view)}
${value === null && !hasEnded(broker) && html`<p class="score-why">${texts.hero.neverChecked}</p>`}
</div>`;
};

const lastCheck = ({ context, texts, broker }: BrokerView): Html | string => {
  const { licensesCheckedAt, licenses } = broker;
  const { plural } = context.format;
  if (licensesCheckedAt === null) return html`<strong>${texts.hero.neverCheckedShort}</strong>`;
  const stale = licenses.filter(({ stale: isStale }) => isStale === true).length;
  return html`${day(context, licensesCheckedAt)}${stale > 0 && !isClone(broker) && html`, <strong class="stale">${plural(stale, texts.hero.stale)}</strong>`}`;
};

const glance = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { format } = context;
  const { ratingSummary, complaintSummary, bestTier, score } = broker;
  const reviews = format.plural(ratingSummary.count, texts.reviewCount);
  const closed = format.plural(complaintSummary.closed, texts.hero.closed);
  const { resolvedRate, overdue } = complaintSummary;
  const { raw, lowers } = capEffect(score);
  return facts([
    [texts.hero.lastCheck, lastCheck(view)],
    [
      texts.hero.licences,
      !isClone(broker) &&
        html`<a href="#licences">${licenseWords(context, broker.licenseCounts).join(', ')}</a>${
          bestTier !== null && `, ${texts.hero.bestTier(String(bestTier))}`
        }`,
    ],
    [
      texts.hero.reviews,
      html`<a href="#reviews">${
        ratingSummary.average === null ? reviews : texts.hero.average(format.fixed(ratingSummary.average, 1), reviews)
      }</a>`,
    ],
    [
      texts.hero.complaints,
      html`<a href="#complaints">${closed}</a>${resolvedRate !== null && `, ${texts.hero.resolved(format.number(Math.round(resolvedRate * complaintSummary.closed)))}`}${
        overdue > 0 && html`, <strong>${format.plural(overdue, texts.hero.overdue)}</strong>`
      }`,
    ],
    [
      texts.score.capsTitle,
      lowers &&
        !isClone(broker) &&
        html`<a href="#score">${texts.hero.held(format.fixed(raw, 1), format.fixed(score.value as number, 1))}</a>`,
    ],
    [
      texts.hero.evidence,
      isEvidenceShown(broker) && html`<a href="#score">${wordFor(texts.score.levels, score.confidence.level)}</a>`,
    ],
  ]);
};

/** Renders the first screen: name, warnings, the verdict for a country, score, and the date of the last check. */
export const hero = (view: BrokerView, residence: string | undefined): Html => {
  const { context, broker } = view;
  return html`
<header class="hero">
<div class="hero-name">
<h1${broker.name.length > LONG_NAME && html` class="long"`}>${toBdi(broker.name)}</h1>
<p class="soft">${toBdi(broker.legalName)}, ${context.format.country(broker.country)}</p>
</div>
<div class="hero-alarms">${alarms(view)}${endedNotice(view)}${verdict(view, residence)}</div>
${!isClone(broker) && scoreBlock(view)}
<div class="hero-glance">${glance(view)}
<p><a href="${addressFor(context, '/compare', { a: broker.slug })}" rel="nofollow">${context.texts.find.compare.withAnother}</a></p></div>
</header>`;
};
