import { type Html, html, toBdi } from '../html.ts';
import { renderExternalLink } from '../links.ts';
import type { PageContext, TextContext } from '../page.ts';
import { scoreWords } from '../pages/broker-history/changes.ts';
import { addressFor } from '../parts/residence.ts';
import { wordFor } from '../words.ts';
import type { StoryEvent } from './events.rule.ts';
import type { StoryItem } from './story.rule.ts';

const describeLicence = ({ texts }: TextContext, { effect, subject = '', from, to }: StoryEvent): Html => {
  const { story, charts } = texts;
  const name = (states: string): string =>
    states
      .split(', ')
      .map((state) => wordFor(charts.licenses.statuses, state))
      .join(', ');
  const kind = effect === 'added' || effect === 'removed' || effect === 'changed' ? effect : 'unknown';
  return html`${story.licence[kind]} ${toBdi(subject)}${to !== undefined && `: ${name(to)}`}${
    from !== undefined && from !== to && ` (${story.before({ state: name(from) })})`
  }`;
};

/** Returns what changed about a warning, in words. */
export const nameWarningChange = ({ texts }: Pick<TextContext, 'texts'>, { effect, to }: StoryEvent): string => {
  const { warning } = texts.story;
  if (effect === 'new') return to === 'clone_of_it' || to === 'unchecked' ? warning[to] : warning.this_firm;
  if (effect === 'corrected' && to === 'clone_of_it') return warning.correctedToClone;
  return effect === undefined || effect === 'added' || effect === 'changed' ? warning.unknown : warning[effect];
};

const describeWarning = (words: TextContext, event: StoryEvent): Html => {
  const { subject } = event;
  return html`${nameWarningChange(words, event)}${subject !== undefined && html`: ${toBdi(subject)}`}`;
};

/** Describes an event of a list of names, domains or companies. */
const describeListed = (
  { texts }: TextContext,
  words: { readonly added: string; readonly removed: string; readonly changed?: string },
  { effect, subject, from, to }: StoryEvent,
): Html => {
  if (effect === 'changed')
    return html`${words.changed}: ${toBdi(to ?? '')}${from !== undefined && html` (${texts.story.before({ state: '' })}${toBdi(from)})`}`;
  return html`${effect === 'removed' ? words.removed : words.added}: ${toBdi(subject ?? '')}`;
};

/** Countries that an event names. The others are counted. */
const MOST_COUNTRIES = 6;

const describeCompany = (words: TextContext, event: StoryEvent): Html => {
  const { texts, format } = words;
  const { company } = texts.story;
  const { effect, subject = '', to, countries } = event;
  if (countries !== undefined) {
    const named = format.list(countries.slice(0, MOST_COUNTRIES).map(format.country));
    const more = countries.length - MOST_COUNTRIES;
    const said = effect === 'removed' ? company.servesNoLonger : company.serves;
    return html`${said} ${toBdi(subject)}: ${named}${more > 0 && ` ${texts.find.news.andMore({ count: format.number(more) })}`}`;
  }
  if (to === 'merged' || to === 'retail' || to === 'no_retail') return html`${company[to]}: ${toBdi(subject)}`;
  return describeListed(words, company, event);
};

/** Describes an event in words. */
const describeEvent = (words: TextContext, event: StoryEvent): Html => {
  const { texts } = words;
  const { story, history } = texts;
  const { kind, keys, subject, from, to } = event;
  switch (kind) {
    case 'licence':
      return describeLicence(words, event);
    case 'warning':
      return describeWarning(words, event);
    case 'name':
      return describeListed(words, story.name, event);
    case 'domain':
      return describeListed(words, story.domain, event);
    case 'company':
      return describeCompany(words, event);
    case 'status':
      return html`${story.status}: ${wordFor(story.statuses, to ?? '')} (${story.before({ state: wordFor(story.statuses, from ?? '') })})`;
    case 'reviews':
      return html`${history.reviews({ count: keys.length })}`;
    case 'regulator':
    case 'methodology':
      return html`${story[kind]}: ${toBdi(subject ?? '')}`;
    default:
      return html`${story[kind]}`;
  }
};

const renderEvent = (words: TextContext, event: StoryEvent): Html => {
  const { source } = event;
  const link = source !== undefined && URL.canParse(source);
  return html`<li data-event="${event.kind}">${describeEvent(words, event)}${
    link && html` <span class="soft">(${renderExternalLink(source, words.texts.story.source)})</span>`
  }</li>`;
};

const renderFall = (words: TextContext, { fall }: StoryItem): Html | false => {
  if (fall === undefined) return false;
  const { texts, format } = words;
  const { story, score } = texts;
  const parts = format.list(fall.parts.map((key) => wordFor(score.components, key).replaceAll('\u00ad', '')));
  const reason = fall.reason
    ? html`${story.reason} ${describeEvent(words, fall.reason)}.`
    : html`${fall.isExamined ? story.noReason : story.notExamined}${fall.isByAge && ` ${story.byAge}`}${fall.parts.length > 0 && ` ${story.parts({ parts })}`}`;
  return html`<p data-fall="${fall.points}"><strong>${story.fell({ points: format.fixed(fall.points, 1) })}</strong> ${reason}</p>`;
};

/**
 * Renders a change of a story: its day, which can be opened, its events with their sources, and a fall with its reason.
 */
const renderItem = (context: PageContext, slug: string, item: StoryItem): Html => {
  const { texts, format } = context;
  const { step, events } = item;
  const day = step.time.slice(0, 10);
  const at = `${addressFor(context, `/brokers/${slug}/history`, { on: day })}#on`;
  return html`<li class="change" data-change="${step.number}">
<p class="change-time"><a href="${at}"><time datetime="${step.time}">${format.day(step.time)}</time></a></p>
<div>${events.length > 0 && html`<ul class="change-what">${events.map((event) => renderEvent(context, event))}</ul>`}${renderFall(context, item)}
<p class="soft">${wordFor(texts.history.causes, step.cause)}</p></div>
<p class="change-score">${scoreWords(context, step.value, step.color)}</p>
</li>
`;
};

/** Renders the changes of a story, newest first. */
export const storyList = (context: PageContext, slug: string, items: readonly StoryItem[]): Html =>
  items.length === 0
    ? html`<p>${context.texts.story.none}</p>`
    : html`<ol class="changes story" reversed>
${items.toReversed().map((item) => renderItem(context, slug, item))}</ol>
`;
