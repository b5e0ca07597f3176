import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import type { FollowedBroker, Follows } from '../../follows.ts';
import { type Html, html, isolateText, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { FOLLOW_PATH } from '../../parts/follow.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivatePage } from '../page.ts';

/**
 * The secret of a link. Pages for any secret are alike until their form is sent: programs that open links learn
 * nothing.
 */
const params = z.object({ token: z.string().regex(/^(?:s_)?[0-9a-f]{20,64}$/) });
const NO_QUERY = z.object({});

const shell = (context: PrivateContext, title: string, body: Html): Html => privateLayout(context, { title, body });

const requireFollows = ({ follows }: PrivateContext): Follows => {
  if (!follows) throw new Error('a service without mail has no page to follow brokers');
  return follows;
};

/** Renders a form of one button that is sent to its own page. `fields` are hidden. */
const buttonForm = (
  context: PrivateContext,
  path: string,
  fields: Readonly<Record<string, string>>,
  label: Html | string,
): Html => privateForm(context, path, fields, html`<button>${label}</button>`);

const requestForm = (context: PrivateContext, { slug, name }: FollowedBroker, problem?: string): Html => {
  const said = context.texts.follow;
  return html`<p class="lead">${said.lead({ name: isolateText(name) })}</p>
${privateForm(
  context,
  FOLLOW_PATH,
  { broker: slug },
  html`<p><label for="mail">${said.address}</label></p>
${problem !== undefined && html`<p id="mail-problem" role="alert"><strong>${problem}</strong></p>\n`}<p><input id="mail" type="email" name="mail" required maxlength="254" autocomplete="email"${problem !== undefined && html` aria-invalid="true" aria-describedby="mail-problem"`}></p>
<p><button>${said.ask}</button></p>
`,
)}
<p class="soft">${said.privacy}</p>
<p><a href="${addressIn(context, `/brokers/${slug}`)}">${said.back({ name: isolateText(name) })}</a></p>`;
};

/** Asks for an address of mail. The answer is the same whoever has the address. */
const request = definePrivatePage(
  FOLLOW_PATH,
  {
    params: z.object({}),
    query: z.object({ broker: Slug.optional().catch(undefined) }),
    needs: 'nobody',
  },
  {
    render: async (context, { query }) => {
      const said = context.texts.follow;
      if (query.broker === undefined) {
        const body = html`<p>${said.choose} <a href="${addressIn(context, '/brokers')}">${said.brokers}</a></p>`;
        return { html: shell(context, said.title, body) };
      }
      const found = await context.client.brokers.get(query.broker);
      if (found.slug !== query.broker) return { seeOther: `${FOLLOW_PATH}?broker=${found.slug}` };
      return { html: shell(context, said.title, requestForm(context, found)) };
    },
    submit: async (context, _asked, { broker = '', mail = '' }) => {
      const said = context.texts.follow;
      const slug = Slug.safeParse(broker);
      if (!slug.success)
        return { status: 422, html: shell(context, said.title, html`<p role="alert">${said.noBroker}</p>`) };
      const found = await context.client.brokers.get(slug.data);
      const { code: language } = context.texts;
      const answer = await requireFollows(context).request({ address: mail.slice(0, 300), slug: found.slug, language });
      if (answer === 'no_address')
        return { status: 422, html: shell(context, said.title, requestForm(context, found, said.noAddress)) };
      const body = html`<p class="lead">${said.askedText}</p>
<p>${said.askedAgain}</p>
<p><a href="${addressIn(context, `/brokers/${found.slug}`)}">${said.back({ name: isolateText(found.name) })}</a></p>`;
      return { html: shell(context, said.askedTitle, body) };
    },
  },
);

const CONFIRM_PATH = '/follow/confirm/:token';
const MINE_PATH = '/follow/mine/:token';
const toPath = (template: string, token: string): string => template.replace(':token', token);

const SECRET = { params, query: NO_QUERY, needs: 'nobody', hasSecret: true } as const;

/** Confirms a request by a button. Opening the page changes nothing. */
const confirm = definePrivatePage(CONFIRM_PATH, SECRET, {
  render: async (context, { params: { token } }) => {
    const said = context.texts.follow;
    const body = html`<p>${said.confirmText}</p>
${buttonForm(context, toPath(CONFIRM_PATH, token), {}, said.confirm)}`;
    return { html: shell(context, said.confirmTitle, body) };
  },
  submit: async (context, { params: { token } }) => {
    const said = context.texts.follow;
    const isConfirmed = await requireFollows(context).confirm(token);
    if (!isConfirmed) return { status: 422, html: shell(context, said.oldTitle, html`<p>${said.oldText}</p>`) };
    return { html: shell(context, said.confirmedTitle, html`<p>${said.confirmedText}</p>`) };
  },
});

const renderList = async (context: PrivateContext, token: string): Promise<Html> => {
  const said = context.texts.follow;
  const brokers = await requireFollows(context).list(token);
  if (!brokers || brokers.length === 0) return shell(context, said.endedTitle, html`<p>${said.endedText}</p>`);
  const path = toPath(MINE_PATH, token);
  return shell(
    context,
    said.mineTitle,
    html`<ul class="followed">${brokers.map(
      ({ slug, name }) => html`<li><a href="${addressIn(context, `/brokers/${slug}`)}">${toBdi(name)}</a>
${buttonForm(context, path, { do: 'end', broker: slug }, html`${said.end} ${toBdi(name)}`)}</li>
`,
    )}</ul>
<h2>${said.endAllTitle}</h2>
<p>${said.endAllText}</p>
${buttonForm(context, path, { do: 'end-all' }, said.endAll)}`,
  );
};

/** Shows by a button what the owner of a link follows, and ends it. */
const mine = definePrivatePage(MINE_PATH, SECRET, {
  render: async (context, { params: { token } }) => {
    const said = context.texts.follow;
    const path = toPath(MINE_PATH, token);
    const body = html`<p>${said.mineLead}</p>
${buttonForm(context, path, { do: 'show' }, said.show)}
<p>${said.endAllText}</p>
${buttonForm(context, path, { do: 'end-all' }, said.endAll)}`;
    return { html: shell(context, said.mineTitle, body) };
  },
  submit: async (context, { params: { token } }, { do: action, broker }) => {
    const follows = requireFollows(context);
    if (action === 'end-all') await follows.end(token);
    if (action === 'end' && broker !== undefined) await follows.end(token, broker);
    return { html: await renderList(context, token) };
  },
});

/** Pages of a service that sends mail. */
export const FOLLOW_PAGES: readonly PrivatePage[] = [request, confirm, mine];
