import { Slug, Text } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolateText, raw, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { FormFields } from '../../page.ts';
import { privateLayout } from '../frame.ts';
import { endedNotice } from '../kept.ts';
import type { Refusal } from '../outcome.ts';
import { definePrivatePage, type PrivateContext, type PrivatePage, type PrivateResponse } from '../page.ts';
import type { OpenText, WritingActions, WrittenKind } from './actions.ts';
import { listDrafts } from './drafts.ts';
import { pickTyped, toWritePath, writeForm } from './form.ts';
import { previewText } from './preview.ts';

const QUERY = z.object({
  broker: Slug.optional().catch(undefined),
  q: z.string().max(100).optional().catch(undefined),
  step: z.enum(['preview', 'saved']).optional().catch(undefined),
});
type WriteQuery = z.infer<typeof QUERY>;

/** The broker that a text is about. */
interface NamedBroker {
  readonly slug: string;
  readonly name: string;
}

type StepName = 'broker' | 'text' | 'preview';
const STEPS: readonly StepName[] = ['broker', 'text', 'preview'];

const stepList = ({ texts }: PrivateContext, current: StepName): Html => {
  const { steps } = texts.write;
  return html`<ol class="write-steps" aria-label="${steps.label}">${STEPS.map(
    (name) => html`<li${name === current && raw(' aria-current="step"')}>${steps[name]}</li>`,
  )}</ol>
`;
};

const listConditions = ({ texts }: PrivateContext, kind: WrittenKind): Html => html`<h2>${texts.write.before}</h2>
<ul>${texts.write.conditions[kind].map((line) => html`<li>${line}</li>\n`)}</ul>
`;

/** Says how to have an identity verified: a review needs it. */
const unverifiedNotice = (context: PrivateContext): Html => {
  const said = context.texts.write.unverified;
  const { verifyUrl } = context.actions.signIn;
  return html`<div class="notice-box"><p><strong>${said.title}</strong></p>
<p>${said.text}</p>
<p>${verifyUrl === undefined ? html`${said.none} <a href="${addressIn(context, '/contact')}">${context.texts.operator.pages.contact}</a>` : html`<a href="${verifyUrl}" rel="noreferrer">${said.link}</a>`}</p></div>
`;
};

const findBrokers = async (context: PrivateContext, kind: WrittenKind, typed: string): Promise<Html | false> => {
  const said = context.texts.write.find;
  const asked = Text(1, 100).safeParse(typed).data;
  if (asked === undefined) return false;
  const { data } = await context.client.search({ q: asked });
  if (data.length === 0)
    return html`<p role="status">${said.none} <a href="${addressIn(context, '/brokers')}">${said.all}</a></p>\n`;
  return html`<h2>${said.found}</h2>
<ul>${data.map(
    ({ slug, name }) => html`<li><a href="${addressIn(context, toWritePath(kind, slug))}">${toBdi(name)}</a></li>\n`,
  )}</ul>
`;
};

/** The first step: which broker. Anybody may read it. */
const chooseBroker = async (context: PrivateContext, kind: WrittenKind, { q = '' }: WriteQuery): Promise<Html> => {
  const said = context.texts.write;
  return privateLayout(context, {
    title: said.title[kind],
    body: html`${stepList(context, 'broker')}<p class="lead">${said.lead[kind]}</p>
<form class="broker-form" method="get" action="${addressIn(context, `/write/${kind}`)}">
<label for="broker-name">${said.find.label}</label>
<p class="soft" id="broker-hint">${said.find.hint}</p>
<p class="field"><input id="broker-name" type="search" name="q" value="${q}" required maxlength="100" autocomplete="off" dir="auto" aria-describedby="broker-hint"> <button>${said.find.button}</button></p>
</form>
${await findBrokers(context, kind, q)}${await listDrafts(context)}${listConditions(context, kind)}${kind === 'review' && context.visitor?.isVerified === false && unverifiedNotice(context)}`,
  });
};

/** A page about a text of one broker. */
interface AboutBroker {
  readonly kind: WrittenKind;
  readonly broker: NamedBroker;
}

const aboutPage = (context: PrivateContext, { kind, broker }: AboutBroker, step: StepName, body: Html): Html =>
  privateLayout(context, {
    title: context.texts.write.about[kind]({ name: isolateText(broker.name) }),
    scripts: step === 'text' ? ['count.js'] : [],
    body: html`${stepList(context, step)}${body}<p><a href="${addressIn(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a> · <a href="${addressIn(context, `/write/${kind}`)}">${context.texts.write.find.other}</a></p>
`,
  });

const toSignIn = (context: PrivateContext, { kind, broker }: AboutBroker): string =>
  `${addressIn(context, '/sign-in')}?${new URLSearchParams({ to: toWritePath(kind, broker.slug) })}`;

const askToSignIn = (context: PrivateContext, about: AboutBroker): Html => {
  const said = context.texts.write;
  return aboutPage(
    context,
    about,
    'text',
    html`<p class="lead">${said.lead[about.kind]}</p>
${listConditions(context, about.kind)}<p><a class="button" href="${toSignIn(context, about)}">${said.signIn}</a></p>
`,
  );
};

/** Says why something was not sent. */
const sayRefusal = ({ texts, format, now }: PrivateContext, { code, retryAfter = 0 }: Refusal): string => {
  const said = texts.write.obstacles;
  if (code === 'rate_limited')
    return said.rate_limited({ time: format.time(new Date(now.getTime() + retryAfter * 1000).toISOString()) });
  return code === 'review_exists' || code === 'state_conflict' || code === 'kyc_required' ? said[code] : said.other;
};

const refusalBox = (context: PrivateContext, text: string): Html => {
  const said = context.texts.write.obstacles;
  return html`<div class="problems" role="alert"><p><strong>${said.title}</strong></p>
<p>${text}</p>
<p><a href="${addressIn(context, '/mine')}">${said.mine}</a></p></div>
`;
};

/** The state of the second or third step. */
interface ShownText {
  readonly opened: OpenText;
  readonly step: WriteQuery['step'];
  /** Text of what was refused just now. */
  readonly refused?: string;
  readonly lacksConsent?: boolean;
  /** False on the first visit: nobody has done anything wrong yet. */
  readonly showsFaults?: boolean;
}

const showText = (context: PrivateContext, about: AboutBroker, shown: ShownText): Html => {
  const { kind, broker } = about;
  const { opened, step, refused, lacksConsent = false, showsFaults = false } = shown;
  const { draft, obstacle, faults, advice, publicName } = opened;
  const isUnverified = obstacle?.code === 'kyc_required';
  const blocked = obstacle !== undefined && !isUnverified ? sayRefusal(context, obstacle) : undefined;
  const said = refused ?? blocked;
  const notice = html`${said !== undefined && refusalBox(context, said)}${isUnverified && unverifiedNotice(context)}`;
  if (step === 'preview' && draft && faults.length === 0) {
    const canSend = obstacle === undefined;
    const preview = previewText(context, { kind, slug: broker.slug, draft, advice, publicName, canSend, lacksConsent });
    return aboutPage(context, about, 'preview', html`${notice}${preview}`);
  }
  if (blocked !== undefined && !draft) return aboutPage(context, about, 'text', notice);
  const { saved } = context.texts.write;
  const note = draft && (kind === 'review' ? saved.review({ day: context.format.day(draft.endsAt) }) : saved.complaint);
  const text = { kind, slug: broker.slug, fields: draft?.fields ?? {}, faults: showsFaults ? faults : [] };
  return aboutPage(context, about, 'text', html`${notice}${writeForm(context, text, note)}`);
};

const renderWrite = async (context: PrivateContext, kind: WrittenKind, query: WriteQuery): Promise<PrivateResponse> => {
  if (query.broker === undefined) return { html: await chooseBroker(context, kind, query) };
  const { slug, name } = await context.client.brokers.get(query.broker);
  if (slug !== query.broker) return { seeOther: toWritePath(kind, slug) };
  const about = { kind, broker: { slug, name } };
  const { writing } = context.actions;
  if (!writing) return { html: askToSignIn(context, about) };
  const opened = await writing.open(kind, slug);
  return { html: showText(context, about, { opened, step: query.step, showsFaults: query.step === 'preview' }) };
};

/** Sends a draft. A refusal shows the text again, with the reason. */
const send = async (
  context: PrivateContext,
  writing: WritingActions,
  about: AboutBroker,
  { version = '', agree }: FormFields,
): Promise<PrivateResponse> => {
  const { kind, broker } = about;
  const reopen = () => writing.open(kind, broker.slug);
  if (agree !== 'yes')
    return {
      status: 422,
      html: showText(context, about, { opened: await reopen(), step: 'preview', lacksConsent: true }),
    };
  const sent = await writing.send(kind, broker.slug, version);
  if ('done' in sent) return { seeOther: `/mine/${kind}s/${sent.done.reference}?sent=yes` };
  const opened = await reopen();
  const isStale = sent.refused.code === 'state_conflict' && opened.obstacle === undefined;
  const refused = isStale ? context.texts.write.obstacles.stale : sayRefusal(context, sent.refused);
  const status = sent.refused.code === 'rate_limited' ? 429 : 409;
  return { status, html: showText(context, about, { opened, step: 'preview', refused, showsFaults: true }) };
};

/** Shows a text again whose writer was signed out while typing. It is not saved: nobody knows yet whose it is. */
const keepTyped = async (
  context: PrivateContext,
  kind: WrittenKind,
  query: WriteQuery,
  fields: FormFields,
): Promise<PrivateResponse | undefined> => {
  const typed = pickTyped(kind, fields);
  if (query.broker === undefined || typed === undefined) return undefined;
  const { slug, name } = await context.client.brokers.get(query.broker);
  const about = { kind, broker: { slug, name } };
  const notice = endedNotice(context, toWritePath(kind, slug));
  const form = writeForm(context, { kind, slug, fields: typed, faults: [] }, undefined);
  return { status: 403, html: aboutPage(context, about, 'text', html`${notice}${form}`) };
};

const submitWrite = async (
  context: PrivateContext,
  kind: WrittenKind,
  query: WriteQuery,
  fields: FormFields,
): Promise<PrivateResponse> => {
  const { writing } = context.actions;
  if (query.broker === undefined) return { seeOther: `/write/${kind}` };
  if (!writing) return (await keepTyped(context, kind, query, fields)) ?? { seeOther: toWritePath(kind, query.broker) };
  const { slug, name } = await context.client.brokers.get(query.broker);
  const about = { kind, broker: { slug, name } };
  if (fields['do'] === 'send') return send(context, writing, about, fields);
  if (fields['do'] === 'discard') {
    await writing.discard(kind, slug);
    return { seeOther: '/mine' };
  }
  const saved = await writing.save(kind, slug, fields);
  if ('most' in saved) {
    const notice = refusalBox(context, context.texts.write.obstacles.too_many_drafts({ most: String(saved.most) }));
    const form = writeForm(context, { kind, slug, fields: pickTyped(kind, fields) ?? {}, faults: [] }, undefined);
    return { status: 409, html: aboutPage(context, about, 'text', html`${notice}${form}`) };
  }
  const { faults } = saved;
  if (fields['do'] === 'save') return { seeOther: toWritePath(kind, slug, 'saved') };
  if (faults.length === 0) return { seeOther: toWritePath(kind, slug, 'preview') };
  const opened = { ...(await writing.open(kind, slug)), faults };
  return { status: 422, html: showText(context, about, { opened, step: undefined, showsFaults: true }) };
};

const defineWritePage = (kind: WrittenKind): PrivatePage =>
  definePrivatePage(
    `/write/${kind}`,
    { params: z.object({}), query: QUERY, needs: 'nobody' },
    {
      render: (context, { query }) => renderWrite(context, kind, query),
      submit: (context, { query }, fields) => submitWrite(context, kind, query, fields),
      keep: (context, { query }, fields) => keepTyped(context, kind, query, fields),
    },
  );

/** Pages on which people write, in three steps. */
export const WRITE_PAGES: readonly PrivatePage[] = [defineWritePage('review'), defineWritePage('complaint')];
