import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, raw, toBdi } from '../../html.ts';
import { privateForm, privateLayout } from '../frame.ts';
import { definePrivatePage, type PrivateContext, type PrivatePage } from '../page.ts';
import type { Inbox, InboxFilter, InboxRow } from './actions.ts';
import {
  formatSpan,
  KEY_SWITCH,
  renderButton,
  renderClaim,
  renderDue,
  renderHeld,
  renderLate,
  toHidden,
} from './parts.ts';
import { DESK_PATH, toCasePath, toInboxPath } from './paths.ts';
import { refusedDesk, requireDesk } from './refused.ts';

/** Name of a kind of case. */
export const KindName = z.string().regex(/^[a-z]{2,20}$/);
const WHO = { me: 'you', nobody: 'nobody' } as const;

const query = z.object({
  kind: KindName.optional().catch(undefined),
  broker: Slug.optional().catch(undefined),
  who: z.enum(['me', 'nobody']).optional().catch(undefined),
  late: z.string().max(500).optional().catch(undefined),
});
type InboxQuery = z.infer<typeof query>;

const renderKinds = (context: PrivateContext, { kinds }: Inbox, { kind, broker, who }: InboxQuery): Html => {
  const link = (to: string | undefined, label: string): Html =>
    html`<li><a href="${toInboxPath({ kind: to, broker, who })}"${to === kind && raw(' aria-current="page"')}>${label}</a></li>`;
  const all = kinds.reduce((sum, { count }) => sum + count, 0);
  return html`<nav class="desk-kinds" aria-label="Kinds"><ul>${link(undefined, `All ${context.format.number(all)}`)}${kinds.map(
    ({ kind: to, plural, count }) => link(to, `${plural} ${context.format.number(count)}`),
  )}</ul></nav>
`;
};

const renderFilter = ({ kind, broker, who }: InboxQuery): Html => html`<form class="desk-filter" action="${DESK_PATH}">
${kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">\n`}<p><label for="broker">Broker</label> <input id="broker" name="broker" value="${broker}" placeholder="alpha-markets" maxlength="100"></p>
<p><label for="who">Worked on by</label> <select id="who" name="who"><option value="">anybody</option>${Object.entries(
  WHO,
).map(
  ([value, label]) => html`<option value="${value}"${value === who && raw(' selected')}>${label}</option>`,
)}</select></p>
<p><button>Show</button></p>
</form>
`;

const renderRow = (context: PrivateContext, row: InboxRow, filter: InboxQuery): Html => {
  const waits = formatSpan(context.now.getTime() - row.since.getTime());
  return html`<li><a data-row href="${toCasePath(row, { of: filter.kind, broker: filter.broker })}">${toBdi(row.title)}</a>
<p>${row.kind} · <a href="${toInboxPath({ ...filter, late: undefined, broker: row.broker })}">${row.broker}</a> · waits ${waits} · ${renderDue(context, row.dueAt, context.now)} · <span class="desk-who">${renderClaim(context, row.claim)}</span></p></li>
`;
};

const renderInbox = (context: PrivateContext, inbox: Inbox, filter: InboxQuery): Html => {
  const { rows, total, held, notWritten } = inbox;
  const late = [...new Set([...(filter.late?.split(' ') ?? []), ...notWritten])].join(' ') || undefined;
  const list = { of: filter.kind, broker: filter.broker };
  return privateLayout(context, {
    title: 'Desk',
    isUntranslated: true,
    scripts: ['desk.js'],
    body: html`${renderHeld(context, held, list)}${renderLate(late)}${renderKinds(context, inbox, filter)}${renderFilter(filter)}
${
  rows.length === 0
    ? html`<p>Nothing waits here.</p>`
    : html`${privateForm(context, DESK_PATH, toHidden(list), html`<p>${renderButton('Work on the next', 'next', 'n')}</p>`)}
<p>${context.format.number(rows.length)} of ${context.format.number(total)} cases, by what is due</p>
<ol class="desk-inbox">
${rows.map((row) => renderRow(context, row, filter))}</ol>`
}
<p class="soft">j and k go down and up, Enter opens.</p>
${KEY_SWITCH}`,
  });
};

/** The inbox of the desk: what waits, by what is due. */
export const inboxPage: PrivatePage = definePrivatePage(
  DESK_PATH,
  { params: z.object({}), query, needs: 'operator', isTranslated: false },
  {
    render: async (context, { query: filter }) => {
      const found = await requireDesk(context).inbox(filter satisfies InboxFilter);
      return 'refused' in found ? refusedDesk(context, found) : { html: renderInbox(context, found, filter) };
    },
    submit: async (context, _asked, fields) => {
      const desk = requireDesk(context);
      const list = { of: KindName.safeParse(fields['of']).data, broker: Slug.safeParse(fields['broker']).data };
      const found =
        fields['do'] === 'undo' ? await desk.undo() : await desk.next({ kind: list.of, broker: list.broker });
      if (found === undefined) return { seeOther: toInboxPath({ kind: list.of, broker: list.broker }) };
      return 'refused' in found ? refusedDesk(context, found) : { seeOther: toCasePath(found, list) };
    },
  },
);
