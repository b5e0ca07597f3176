import { MAIL_LANGUAGES } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { FormFields } from '../../page.ts';
import { LOCALES } from '../../texts/locales.ts';
import { type Field, lineField, problemList, selectField } from '../fields.ts';
import { privateForm } from '../frame.ts';
import type { Outcome } from '../outcome.ts';
import { definePrivatePage, type PrivateContext, type PrivateResponse } from '../page.ts';
import { renderSignInAgain } from '../sign-in/fresh.ts';
import type { MineActions } from './actions.ts';
import { minePage, requireMine } from './parts.ts';

const PATH = '/mine/mail';

type OwnMail = Awaited<ReturnType<MineActions['readMail']>>;

/** A fault in a field, with the typed text. */
interface MailFault {
  readonly field: 'address' | 'code';
  readonly problem: string;
  readonly value: string;
}

const codePart = (context: PrivateContext, { pending }: OwnMail, typed: MailFault | undefined): Html | false => {
  const said = context.texts.mine.mail;
  const field: Field = {
    name: 'code',
    label: said.code,
    hint: said.codeHint,
    problem: typed?.field === 'code' ? typed.problem : undefined,
  };
  return (
    pending !== null &&
    html`<h2>${said.codeTitle}</h2>
<p>${toBdi(pending.address)} ${said.waiting({ day: context.format.time(pending.endsAt) })}.</p>
${problemList(context.texts.write.wrong.title, field.problem === undefined ? [] : [field])}${privateForm(
  context,
  PATH,
  { do: 'confirm' },
  html`${lineField(field, typed?.field === 'code' ? typed.value : '', { most: 20, purpose: 'one-time-code' })}<p class="form-buttons"><button>${said.confirm}</button></p>\n`,
)}`
  );
};

const changePart = (context: PrivateContext, { language }: OwnMail, typed: MailFault | undefined): Html => {
  const said = context.texts.mine.mail;
  const field: Field = {
    name: 'address',
    label: said.address,
    hint: said.addressHint,
    isOptional: true,
    problem: typed?.field === 'address' ? typed.problem : undefined,
  };
  const stale = renderSignInAgain(context, PATH);
  if (stale) return html`<h2>${said.changeTitle}</h2>\n${stale}`;
  const choices = MAIL_LANGUAGES.map((code) => [code, LOCALES[code].name] as const);
  return html`<h2>${said.changeTitle}</h2>
${problemList(context.texts.write.wrong.title, field.problem === undefined ? [] : [field])}${privateForm(
  context,
  PATH,
  { do: 'change' },
  html`${lineField(field, typed?.field === 'address' ? typed.value : '', { type: 'email', most: 254, purpose: 'email' })}${selectField(
    { name: 'language', label: said.language },
    choices,
    language ?? context.texts.code,
  )}<p class="form-buttons"><button>${said.change}</button></p>\n`,
)}`;
};

const followedPart = async (context: PrivateContext): Promise<Html> => {
  const said = context.texts.mine.mail;
  const followed = await requireMine(context).listFollowed();
  return html`<h2>${said.followed}</h2>
${
  followed.length === 0
    ? html`<p>${said.followsNone}</p>\n`
    : html`<ul class="followed">${followed.map(
        ({ slug, name }) => html`<li><a href="${addressIn(context, `/brokers/${slug}`)}">${toBdi(name)}</a>
${privateForm(context, PATH, { do: 'end', broker: slug }, html`<button class="quiet">${said.end} ${toBdi(name)}</button>`)}</li>\n`,
      )}</ul>\n`
}`;
};

const stopPart = (context: PrivateContext): Html | false => {
  if (context.visitor?.isFresh !== true) return false;
  const said = context.texts.mine.mail;
  return html`<h2>${said.stopTitle}</h2>
<p>${said.stopText}</p>
${privateForm(context, PATH, { do: 'stop' }, html`<p class="form-buttons"><button class="quiet">${said.stop}</button></p>`)}
`;
};

const showMail = async (context: PrivateContext, typed?: MailFault): Promise<Html> => {
  const said = context.texts.mine.mail;
  const actions = requireMine(context);
  if (!actions.sendsMail)
    return minePage(
      context,
      said.title,
      html`<p class="lead">${said.off} <a href="${addressIn(context, '/mine')}">${context.texts.mine.title}</a></p>\n`,
    );
  const mail = await actions.readMail();
  return minePage(
    context,
    said.title,
    html`<p class="lead">${said.lead}</p>
<p>${mail.address === null ? said.nowhere : html`${said.now} ${toBdi(mail.address)}`}</p>
${codePart(context, mail, typed)}${changePart(context, mail, typed)}${await followedPart(context)}${mail.address !== null && stopPart(context)}`,
  );
};

const answer = async (
  context: PrivateContext,
  outcome: Outcome<unknown>,
  typed: Omit<MailFault, 'problem'>,
): Promise<PrivateResponse> => {
  if ('done' in outcome) return { seeOther: PATH };
  const said = context.texts.mine.mail;
  const isBusy = outcome.refused.code === 'rate_limited';
  const cure = typed.field === 'code' ? said.codeCure : said.addressCure;
  return {
    status: isBusy ? 429 : 422,
    html: await showMail(context, { ...typed, problem: isBusy ? said.busy : cure }),
  };
};

const submit = async (context: PrivateContext, fields: FormFields): Promise<PrivateResponse> => {
  const actions = requireMine(context);
  const { do: what, code = '', address = '', language = '', broker = '' } = fields;
  if (!actions.sendsMail) return { seeOther: PATH };
  if ((what === 'change' || what === 'stop') && context.visitor?.isFresh !== true)
    return { status: 403, html: await showMail(context) };
  switch (what) {
    case 'confirm':
      return answer(context, await actions.confirmMail(code), { field: 'code', value: code });
    case 'change': {
      const given = { ...(address.trim() === '' ? {} : { address: address.trim() }), language };
      return answer(context, await actions.requestMail(given), { field: 'address', value: address });
    }
    case 'stop':
      await actions.stopMail();
      return { seeOther: PATH };
    case 'end':
      await actions.endFollow(broker);
      return { seeOther: PATH };
    default:
      return { seeOther: PATH };
  }
};

/** Shows the address to which a person is written, and the brokers that they follow. */
export const mailPage = definePrivatePage(
  PATH,
  { params: z.object({}), query: z.object({}), needs: 'person' },
  {
    render: async (context) => ({ html: await showMail(context) }),
    submit: (context, _asked, fields) => submit(context, fields),
  },
);
