import * as z from 'zod';
import { type Html, html } from '../../html.ts';
import { privateForm } from '../frame.ts';
import { definePrivatePage, type PrivateContext } from '../page.ts';
import { minePage } from './parts.ts';

const PATH = '/mine/sessions';

type Session = Awaited<ReturnType<PrivateContext['actions']['signIn']['listSessions']>>[number];

const renderSession = (context: PrivateContext, { handle, isThis, method, createdAt, usedAt }: Session): Html => {
  const { format, texts } = context;
  const said = texts.mine.sessions;
  const id = `session-${handle}`;
  return html`<li class="record"><p id="${id}"><strong>${isThis ? said.here : said.ways[method]}</strong><br>
${said.since({ time: format.time(createdAt) })}, ${said.used({ time: format.time(usedAt) })}</p>
${
  !isThis &&
  privateForm(
    context,
    PATH,
    { session: handle },
    html`<button class="quiet" aria-describedby="${id}">${said.end}</button>`,
  )
}</li>
`;
};

/** Lists the browsers in which a person is signed in, and ends the others. */
export const sessionsPage = definePrivatePage(
  PATH,
  { params: z.object({}), query: z.object({}), needs: 'person' },
  {
    render: async (context) => {
      const said = context.texts.mine.sessions;
      const sessions = await context.actions.signIn.listSessions();
      const all = privateForm(context, PATH, { all: 'yes' }, html`<button>${said.endAll}</button>`);
      const body = html`<p class="lead">${said.lead}</p>
<ul class="records">${sessions.map((one) => renderSession(context, one))}</ul>
${sessions.length > 1 && html`<p class="form-buttons">${all}</p>\n`}`;
      return { html: minePage(context, said.title, body) };
    },
    submit: async ({ actions }, _asked, { session, all }) => {
      if (session !== undefined || all === 'yes') await actions.signIn.endOthers(all === 'yes' ? undefined : session);
      return { seeOther: PATH };
    },
  },
);
