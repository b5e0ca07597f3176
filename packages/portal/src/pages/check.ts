import type { BrokerDetail } from '@broker-transparency/client';
import { classifyLicense } from '@broker-transparency/contract';
import { classifyWarning, isWarned } from '@broker-transparency/contract/score';
import * as z from 'zod';
import { type Html, html, isolateText, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import type { AlikeEvidence, Alikes } from '../look-alikes.ts';
import { definePage, type PageContext, withForm } from '../page.ts';
import { evidenceList, type FoundBroker, readFound, warningItem } from '../parts/found-brokers.ts';
import { addressFor, findResidence, Residence, residenceField } from '../parts/residence.ts';
import { verdictLine } from '../parts/verdict-line.ts';
import { wordFor } from '../words.ts';

/** Headline of the result. */
type CloneVerdict = keyof PageContext['texts']['clone']['verdict'];

const PATH = '/check';
/** Maximum number of addresses, or licences, shown per broker. */
const MOST_NAMED = 6;

const isSure = ({ evidence }: { readonly evidence: readonly AlikeEvidence[] }): boolean =>
  evidence.some(({ match }) => match !== 'possible');

const listCurrentWarnings = ({ warnings }: BrokerDetail) =>
  warnings.filter((warning) => classifyWarning(warning) !== 'past');

const isAlarming = ({ status, warnings }: BrokerDetail): boolean => status === 'suspected_clone' || isWarned(warnings);

const isCopied = ({ warnings }: BrokerDetail): boolean =>
  warnings.some((warning) => classifyWarning(warning) === 'clone');

const decideVerdict = ({ read, warnings }: Alikes, brokers: readonly FoundBroker[]): CloneVerdict => {
  const sure = brokers.filter(isSure);
  if (sure.some(({ broker }) => isAlarming(broker)) || warnings.some(isSure)) return 'warned';
  const byDomain = brokers.flatMap(({ evidence }) => evidence.filter(({ field }) => field === 'domain'));
  const isOwn = byDomain.some(({ match }) => match !== 'possible');
  if (read.domain !== undefined && !isOwn && (sure.length > 0 || byDomain.length > 0)) return 'foreign';
  if (sure.some(({ broker }) => isCopied(broker))) return 'copied';
  if (sure.length > 0) return warnings.length > 0 ? 'alike' : 'known';
  return brokers.length + warnings.length > 0 ? 'alike' : 'nothing';
};

const renderNamed = (label: string, values: readonly Html[], none?: string): Html | null => {
  if (values.length === 0 && none === undefined) return null;
  const shown = values.slice(0, MOST_NAMED);
  return html`<p>${label}: ${
    shown.length === 0 ? none : shown.map((value, at) => html`${at > 0 && ', '}${value}`)
  }${values.length > MOST_NAMED && ' …'}</p>\n`;
};

const renderWarnings = ({ texts, format }: PageContext, broker: BrokerDetail): Html[] =>
  listCurrentWarnings(broker).map(
    ({ about, source, title, url, publishedAt, dating, match }) => html`<div class="warning">
<p><strong>${wordFor(texts.clone.about, about)}</strong></p>
<p><a href="${url}" rel="noopener nofollow">${toBdi(title)}</a></p>
<p>${toBdi(source)}. ${(dating === undefined ? texts.clone.published : texts.clone.publishedBy)({ day: format.day(publishedAt) })}.</p>
${match === 'unchecked' && html`<p>${texts.clone.unchecked}</p>\n`}</div>\n`,
  );

const renderBroker = (context: PageContext, { broker, evidence }: FoundBroker, isAsked: boolean): Html => {
  const { texts, format } = context;
  const { clone } = texts;
  const { slug, status, score, color, domains, licenses } = broker;
  const isClone = status === 'suspected_clone';
  const residence = findResidence(context);
  const confirmed = licenses.filter((license) => classifyLicense(broker, license) === 'confirmed');
  const rated =
    score.value === null
      ? clone.unrated
      : clone.score({ value: format.number(score.value), word: wordFor(texts.colors, color) });
  return html`<li class="found">
<h3><a href="${addressFor(context, `/brokers/${slug}`)}">${toBdi(broker.name)}</a></h3>
<p${isClone && html` class="alarm"`}>${wordFor(clone.status, status)}${!isClone && html`. ${rated}`}</p>
${residence !== undefined && verdictLine(context, broker, residence, isAsked)}${evidenceList(context, evidence)}
${renderWarnings(context, broker)}${renderNamed(isClone ? clone.cloneAddresses : clone.addresses, domains.map(toBdi))}${
  !isClone &&
  renderNamed(
    clone.licences,
    confirmed.map(
      ({ regulatorCode, referenceNumber }) => html`${regulatorCode.toUpperCase()} ${toBdi(referenceNumber)}`,
    ),
    clone.noLicence,
  )
}</li>
`;
};

const form = (context: PageContext, typed = '', problem?: string): Html => {
  const { texts } = context;
  return html`
<form class="clone-form" method="post" action="${addressIn(context, PATH)}">
<label for="check-text">${texts.clone.label}</label>
<p id="check-hint" class="soft">${texts.clone.hint}</p>
${problem !== undefined && html`<p id="check-problem" class="problem" role="alert">${problem}</p>\n`}<div class="field"><input id="check-text" name="text" value="${typed}" maxlength="200" required autocomplete="off" autocapitalize="off" spellcheck="false" dir="auto" aria-describedby="check-hint${problem !== undefined && ' check-problem'}"${problem !== undefined && html` aria-invalid="true"`}></div>
<p class="lives">${residenceField(context)}</p>
<p><button>${texts.clone.button}</button></p>
</form>`;
};

const renderNextSteps = ({ texts, ...context }: PageContext): Html => html`
<h2>${texts.clone.todo}</h2>
<ol>${texts.clone.steps.map((step) => html`<li>${step}</li>`)}</ol>
<p><a href="${addressIn(context, '/regulators')}">${texts.clone.registers}</a></p>`;

const renderSearched = ({ texts, format }: PageContext, { lists, searched: count }: Alikes): Html => {
  const { clone } = texts;
  return html`
<h2>${clone.searchedTitle}</h2>
<ul>
<li>${clone.searchedBrokers({ count })}</li>
<li>${
    lists.length === 0
      ? clone.noLists
      : html`${clone.searchedLists({ count: lists.length })}<ul>${lists.map(
          ({ name, asOf }) => html`<li>${clone.list({ name, day: format.day(asOf) })}</li>`,
        )}</ul>`
  }</li>
</ul>`;
};

const renderResults = (context: PageContext, text: string, alikes: Alikes, brokers: readonly FoundBroker[]): Html => {
  const { clone } = context.texts;
  const shown = new Set(brokers.flatMap(({ broker }) => listCurrentWarnings(broker).map(({ url }) => url)));
  const warnings = alikes.warnings.filter(({ url }) => !shown.has(url));
  const verdict = decideVerdict(alikes, brokers);
  const said = clone.verdict[verdict];
  // a text that fits several firms says nothing good about any of them
  const [named, ...more] = brokers.filter(isSure);
  const asked = verdict === 'known' && more.length === 0 ? named : undefined;
  return html`
<p class="asked">${clone.asked({ text: isolateText(text) })}</p>
${alikes.unread.length > 0 && html`<p><strong>${clone.unread({ domains: context.format.list(alikes.unread.map(isolateText)) })}</strong></p>\n`}${alikes.scripts.length > 0 && html`<p><strong>${clone.kept({ scripts: context.format.list(alikes.scripts) })}</strong></p>\n`}<div class="check-verdict ${verdict}"><p><strong>${said.title}</strong></p><p>${said.text}</p></div>
${
  warnings.length > 0 &&
  html`<h2>${clone.warnings}</h2>\n<p>${clone.warningsText}</p>\n<ul class="founds">${warnings.map((one) => warningItem(context, one))}</ul>\n`
}${brokers.length > 0 && html`<h2>${clone.brokers}</h2>\n<ul class="founds">${brokers.map((one) => renderBroker(context, one, one === asked))}</ul>\n`}${
  alikes.hasMore && html`<p>${clone.more}</p>\n`
}`;
};

const page = (context: PageContext, body: Html, isUnlisted: boolean): Html => {
  const { title, description } = context.texts.clone;
  return layout(context, { title, description, isUnlisted, body: html`<h1>${title}</h1>${body}` });
};

const renderStart = (context: PageContext, typed?: string, problem?: string): Html => html`
<p class="lead">${context.texts.clone.lead}</p>${form(context, typed, problem)}${renderNextSteps(context)}`;

/**
 * Checks whether a name, a domain or a licence number belongs to a clone. The input appears in no address and no log.
 * With the country where the reader lives, each found broker has the verdict for it.
 */
export const check = withForm(
  definePage(PATH, { params: z.object({}), query: z.object({ residence: Residence }) }, async (context) => ({
    html: page(context, renderStart(context), false),
  })),
  async (unplaced, { text = '', residence }) => {
    const chosen = Residence.parse(residence);
    const context = chosen === undefined ? unplaced : { ...unplaced, query: `?residence=${chosen}` };
    const typed = text.slice(0, 200).trim();
    const alikes = await context.lookAlikes(typed);
    if (Object.keys(alikes.read).length === 0)
      return {
        status: 422,
        html: page(context, renderStart(context, typed, context.texts.clone.empty), true),
      };
    const found = await readFound(context, alikes);
    const body = html`${renderResults(context, typed, alikes, found)}${renderNextSteps(context)}${renderSearched(context, alikes)}
<h2>${context.texts.clone.again}</h2>${form(context, typed)}`;
    return { html: page(context, body, true) };
  },
);
