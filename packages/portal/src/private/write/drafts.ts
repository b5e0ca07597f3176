import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { PrivateContext } from '../page.ts';
import { toWritePath } from './form.ts';

/** Renders the texts that the person has not sent; false if there are none. */
export const listDrafts = async (context: PrivateContext): Promise<Html | false> => {
  const said = context.texts.write;
  const drafts = (await context.actions.writing?.listDrafts()) ?? [];
  return (
    drafts.length > 0 &&
    html`<h2>${said.drafts}</h2>
<ul class="own-list">${drafts.map(
      ({ kind, slug, name, endsAt }) =>
        html`<li><a href="${addressIn(context, toWritePath(kind, slug))}">${said.kinds[kind]}: ${toBdi(name)}</a> <span class="soft">${kind === 'review' ? said.draftUntil({ day: context.format.day(endsAt) }) : said.draftInSession}</span></li>\n`,
    )}</ul>
`
  );
};
