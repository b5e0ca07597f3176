import { type Html, html, toBdi } from '../../html.ts';
import { followBroker } from '../../parts/follow.ts';
import { licenseWords } from '../../parts/license-words.ts';
import { addressFor } from '../../parts/residence.ts';
import { scoreScale } from '../../parts/score-scale.ts';
import { wordFor } from '../../words.ts';
import { complaintLine } from './complaints.ts';
import { type BrokerView, day, facts, ratingWord } from './parts.ts';
import {
  capEffect,
  groupNewestFirst,
  hasEnded,
  isClone,
  isEvidenceShown,
  isUnlicensed,
  type Warning,
} from './state.rule.ts';
import { verdict } from './verdict.ts';

/** Length from which names are set smaller, to leave room on a phone. */
const LONG_NAME = 48;

/** Renders who published the newest of some warnings, with a link to the section that tells it. */
const warningLine = ({ context, texts }: BrokerView, { source, publishedAt, dating }: Warning): Html => html`
<p class="alarm-line">${toBdi(source)}, ${dating !== undefined && html`${texts.warnings.byDay} `}${day(context, publishedAt)}. <a href="#warnings">${texts.alarm.read}</a></p>`;

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
  const { texts, broker } = view;
  const { confirmed, unchecked, clone } = groupNewestFirst(broker.warnings);
  const isSuspect = isClone(broker);
  const [newest] = confirmed;
  const [unsure] = unchecked;
  const [victim] = clone;
  return [
    ...(isSuspect || newest
      ? [
          box('hero-alarm', isSuspect ? texts.alarm.clone : texts.alarm.warned({ count: confirmed.length }), [
            html`<p>${isSuspect ? texts.alarm.cloneText : texts.alarm.warnedText}</p>`,
            newest !== undefined && warningLine(view, newest),
          ]),
        ]
      : []),
    ...(unsure
      ? [
          box('hero-alarm unconfirmed', texts.alarm.unchecked({ count: unchecked.length }), [
            warningLine(view, unsure),
            html`<p>${texts.alarm.uncheckedText}</p>`,
          ]),
        ]
      : []),
    ...(isUnlicensed(broker)
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

const scoreBlock = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { value, color } = broker.score;
  return html`
<div class="score-block">
<p class="score-line">${
    value !== null &&
    html`<span class="score-value">${context.format.fixed(value, 1)}</span> <span class="score-of">${texts.hero.outOf}</span> `
  }${ratingWord(context, color)}</p>
${scoreScale(context, broker.score)}
${value === null && !hasEnded(broker) && html`<p class="score-why">${texts.hero.neverChecked}</p>`}
</div>`;
};

const lastCheck = ({ context, texts, broker }: BrokerView): Html | string => {
  const { licensesCheckedAt, licenses } = broker;
  if (licensesCheckedAt === null) return html`<strong>${texts.hero.neverCheckedShort}</strong>`;
  const stale = licenses.filter(({ stale: isStale }) => isStale === true).length;
  return html`${day(context, licensesCheckedAt)}${stale > 0 && !isClone(broker) && html` – <strong class="stale">${texts.hero.stale({ count: stale })}</strong>`}`;
};

const glance = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { format } = context;
  const { ratingSummary, bestTier, score } = broker;
  const reviews = texts.reviewCount({ count: ratingSummary.count });
  const { raw, lowers } = capEffect(score);
  return facts([
    [texts.hero.lastCheck, lastCheck(view)],
    [
      texts.hero.licences,
      !isClone(broker) &&
        html`<a href="#licences">${licenseWords(context, broker.licenseCounts).join(', ')}</a>${
          bestTier !== null && `, ${texts.hero.bestTier({ tier: String(bestTier) })}`
        }`,
    ],
    [
      texts.hero.reviews,
      html`<a href="#reviews">${
        ratingSummary.average === null
          ? reviews
          : texts.hero.average({ average: format.fixed(ratingSummary.average, 1), count: reviews })
      }</a>`,
    ],
    [texts.hero.complaints, html`<a href="#complaints">${complaintLine(view)}</a>`],
    [
      texts.score.capsTitle,
      lowers &&
        !isClone(broker) &&
        html`<a href="#score">${texts.hero.held({ from: format.fixed(raw, 1), to: format.fixed(score.value as number, 1) })}</a>`,
    ],
    [
      texts.hero.evidence,
      isEvidenceShown(broker) && html`<a href="#score">${wordFor(texts.score.levels, score.confidence.level)}</a>`,
    ],
  ]);
};

/** Renders the first screen: name, warnings, the verdict for a country, score, and the date of the last check. */
export const hero = (view: BrokerView, residence: string | undefined): Html => {
  const { context, broker, mark } = view;
  return html`
<header class="hero${isClone(broker) && ' hero-alone'}">
<div class="hero-name">
${mark}<h1${broker.name.length > LONG_NAME && html` class="long"`}>${toBdi(broker.name)}</h1>
<p class="soft">${toBdi(broker.legalName)}, ${context.format.country(broker.country)}</p>
</div>
<div class="hero-alarms">${alarms(view)}${endedNotice(view)}${verdict(view, residence)}</div>
${!isClone(broker) && scoreBlock(view)}
<div class="hero-glance">${glance(view)}
<p><a href="${addressFor(context, '/compare', { a: broker.slug })}" rel="nofollow">${context.texts.find.compare.withAnother}</a></p>
${followBroker(context, broker.slug)}</div>
</header>`;
};
