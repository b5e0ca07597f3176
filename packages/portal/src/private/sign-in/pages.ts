import * as z from 'zod';
import { type Html, html, isolateText } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivatePage, type PrivateResponse } from '../page.ts';
import { OwnPath } from './own-path.rule.ts';
import { verificationNote } from './verification.ts';

const SIGN_IN = '/sign-in';
const PROVIDER = '/sign-in/provider';
const CODE = '/sign-in/code';
const MINE = '/mine';
const SIGN_OUT = '/sign-out';

const NOTHING = z.object({});
/** A path that is not of this site counts as none. */
const to = OwnPath.optional().catch(undefined);
/** Asks people to prove again who they are. */
const again = z.literal('yes').optional().catch(undefined);

const PROBLEMS = ['refused', 'unproven', 'unreachable', 'expired', 'blocked', 'gone'] as const;
type Problem = (typeof PROBLEMS)[number];

const own = ({ has }: PrivateContext): string => (has(MINE) ? MINE : SIGN_IN);

const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

/** Renders an alert with the id that a field names. */
const alert = (id: string, text: string): Html => html`<p id="${id}" role="alert"><strong>${text}</strong></p>\n`;

const toPage = (context: PrivateContext, title: string, body: Html): Html => privateLayout(context, { title, body });

interface LinkForm {
  readonly to: string | undefined;
  readonly again?: 'yes' | undefined;
  readonly typed?: string;
  readonly isWrong?: boolean;
}

const linkForm = (context: PrivateContext, form: LinkForm): Html => {
  const said = context.texts.signIn.link;
  const { isWrong = false, typed = '' } = form;
  const fields: Record<string, string> = form.to === undefined ? {} : { to: form.to };
  return privateForm(
    context,
    SIGN_IN,
    fields,
    html`<p><label for="mail">${said.address}</label></p>
${isWrong && alert('mail-problem', said.noAddress)}<p><input id="mail" type="email" name="mail" value="${typed}" required maxlength="254" autocomplete="email"${isWrong && html` aria-invalid="true" aria-describedby="mail-problem"`}></p>
<p><button>${said.ask}</button></p>
`,
  );
};

/** Renders how people sign in here. */
const ways = (context: PrivateContext, form: LinkForm): Html => {
  const { texts, actions } = context;
  const said = texts.signIn;
  switch (actions.signIn.way) {
    case 'provider':
      return html`<p>${said.provider.lead}</p>
<p><a class="button" href="${addressIn(context, withQuery(PROVIDER, { to: form.to, again: form.again }))}">${said.provider.go}</a></p>
${verificationNote(context)}
<p class="soft">${said.cookie}</p>`;
    case 'link':
    case 'demo':
      return html`<p>${actions.signIn.way === 'demo' ? said.link.demo : said.link.lead}</p>
${linkForm(context, form)}
${verificationNote(context)}
<p class="soft">${said.cookie}</p>`;
    case 'none':
      return html`<p class="lead">${said.none}</p>
<p>${said.programs} <a href="${addressIn(context, '/docs')}">${texts.site.docs}</a></p>`;
  }
};

const signIn = definePrivatePage(
  SIGN_IN,
  {
    params: NOTHING,
    query: z.object({ to, again, problem: z.enum(PROBLEMS).optional().catch(undefined) }),
    needs: 'nobody',
  },
  {
    render: async (context, { query }) => {
      const { texts, visitor } = context;
      const said = texts.signIn;
      if (visitor && query.to !== undefined && query.problem === undefined) return { seeOther: query.to };
      if (visitor) return { html: toPage(context, said.isIn, verificationNote(context)) };
      const problem = query.problem && alert('problem', said.problems[query.problem]);
      return {
        html: toPage(context, said.title, html`${problem}${ways(context, { to: query.to, again: query.again })}`),
      };
    },
    submit: async (context, _asked, fields) => {
      const { texts, actions } = context;
      const next = OwnPath.safeParse(fields['to']).data;
      const typed = (fields['mail'] ?? '').slice(0, 300);
      const answer = await actions.signIn.requestLink(typed, next);
      if (answer === 'asked') return { seeOther: CODE };
      const body = ways(context, { to: next, typed, isWrong: true });
      return { status: 422, html: toPage(context, texts.signIn.title, body) };
    },
  },
);

const failed = (problem: Problem): PrivateResponse => ({ seeOther: withQuery(SIGN_IN, { problem }) });

/** Leads to the identity provider. */
const provider = definePrivatePage(
  PROVIDER,
  { params: NOTHING, query: z.object({ to, again }), needs: 'nobody', waits: true },
  {
    render: async (context, { query }) => {
      const { actions, visitor } = context;
      if (actions.signIn.way !== 'provider') return { seeOther: SIGN_IN };
      if (visitor) return { seeOther: query.to ?? own(context) }; // no page of another site ends their session
      const from = addressIn(context, SIGN_IN);
      const begun = await actions.signIn.begin({
        to: addressIn(context, query.to ?? own(context)),
        from,
        again: query.again === 'yes',
      });
      return begun === 'unreachable' ? failed(begun) : { leaveTo: begun.address };
    },
  },
);

const given = z.string().max(4096).optional();

/** The page to which the identity provider sends people back. It is the same in every language. */
const returned = definePrivatePage(
  '/sign-in/return',
  {
    params: NOTHING,
    query: z.object({ code: given, state: given, iss: given, error: given, error_description: given }),
    needs: 'nobody',
    isTranslated: false,
    waits: true,
  },
  {
    render: async (context, { query }) => {
      const { outcome, ...paths } = await context.actions.signIn.finish(withQuery('', query));
      if (outcome === 'in') return { seeOther: OwnPath.safeParse(paths.to).data ?? own(context) };
      return { seeOther: withQuery(OwnPath.safeParse(paths.from).data ?? SIGN_IN, { problem: outcome }) };
    },
  },
);

const codePage = (context: PrivateContext, address: string, isWrong: boolean): Html => {
  const said = context.texts.signIn.link;
  const isDemo = context.actions.signIn.way === 'demo';
  const form = privateForm(
    context,
    CODE,
    {},
    html`<p><label for="code">${said.code}</label></p>
${isWrong && alert('code-problem', said.wrong)}<p><input id="code" name="code" required maxlength="20" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"${isWrong && html` aria-invalid="true" aria-describedby="code-problem"`}></p>
<p><button>${said.enter}</button></p>
`,
  );
  const again = html`<a href="${addressIn(context, SIGN_IN)}">${said.again}</a>`;
  const body = html`<p class="lead">${isDemo ? said.printed({ address: isolateText(address) }) : said.asked({ address: isolateText(address) })}</p>
<p>${said.elsewhere}</p>
${form}
<p class="soft">${!isDemo && said.nothing} ${again}</p>`;
  return toPage(context, isDemo ? said.printedTitle : said.askedTitle, body);
};

const enter = (context: PrivateContext, path: string | undefined): PrivateResponse => ({
  seeOther: OwnPath.safeParse(path).data ?? own(context),
});

/** Takes the code that the link shows in another browser. */
const code = definePrivatePage(
  CODE,
  { params: NOTHING, query: NOTHING, needs: 'nobody' },
  {
    render: async (context) => {
      const address = await context.actions.signIn.findAsked();
      if (address === undefined) return failed('gone');
      return { html: codePage(context, address, false) };
    },
    submit: async (context, _asked, fields) => {
      const { signIn } = context.actions;
      const entered = await signIn.useCode((fields['code'] ?? '').slice(0, 50));
      if (entered === 'gone' || entered === 'blocked') return failed(entered);
      if (entered !== 'wrong') return enter(context, entered.to);
      const address = (await signIn.findAsked()) ?? '';
      return { status: 422, html: codePage(context, address, true) };
    },
  },
);

const LINK = '/sign-in/link/:token';

/** The page of a link. Programs that open it change nothing: only its button signs in. */
const link = definePrivatePage(
  LINK,
  {
    params: z.object({ token: z.string().regex(/^[0-9a-zA-Z]{1,100}$/) }),
    query: NOTHING,
    needs: 'nobody',
    hasSecret: true,
  },
  {
    render: async (context, { params: { token } }) => {
      const said = context.texts.signIn.link;
      const seen = await context.actions.signIn.viewLink(token);
      if (!seen) return { status: 410, html: toPage(context, said.goneTitle, html`<p>${said.gone}</p>`) };
      if (seen.is === 'here') {
        const button = html`<button>${said.enter}</button>`;
        const form = privateForm(context, LINK.replace(':token', token), {}, button);
        return {
          html: toPage(
            context,
            said.hereTitle,
            html`<p>${said.here({ address: isolateText(seen.email) })}</p>\n${form}`,
          ),
        };
      }
      const body = html`<p><strong>${said.warning}</strong></p>
<p class="lead">${said.elsewhereLead}</p>
<p class="code"><code>${seen.code}</code></p>`;
      return { html: toPage(context, said.elsewhereTitle, body) };
    },
    submit: async (context, { params: { token } }) => {
      const entered = await context.actions.signIn.useLink(token);
      return typeof entered === 'string' ? failed(entered) : enter(context, entered.to);
    },
  },
);

/**
 * Ends a session by a button, and says so. Its address itself ends nothing. A browser follows no redirect of a form to
 * another site, so that a link leads to the sign-out of the provider.
 */
const signOut = definePrivatePage(
  SIGN_OUT,
  { params: NOTHING, query: NOTHING, needs: 'nobody', waits: true },
  {
    render: async (context) => {
      if (context.visitor) return { seeOther: SIGN_IN };
      const said = context.texts.signIn.signedOut;
      const there = await context.actions.signIn.findProviderSignOut();
      const atProvider =
        there !== undefined &&
        html`<p>${said.stillThere}</p>\n<p><a class="button" href="${there}" rel="noreferrer">${said.there}</a></p>\n`;
      const body = html`${atProvider}<p><a href="${addressIn(context, SIGN_IN)}">${said.again}</a></p>\n`;
      return { html: toPage(context, said.title, body) };
    },
    submit: async ({ actions }, _asked, fields) => {
      await actions.signIn.signOut();
      const next = OwnPath.safeParse(fields['again']).data;
      return { seeOther: next === undefined ? SIGN_OUT : withQuery(SIGN_IN, { to: next, again: 'yes' }) };
    },
  },
);

/** Pages by which people sign in and out. */
export const SIGN_IN_PAGES: readonly PrivatePage[] = [signIn, provider, returned, code, link, signOut];
