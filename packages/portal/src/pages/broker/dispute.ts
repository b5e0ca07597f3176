import { type Html, html } from '../../html.ts';
import type { Texts } from '../../languages.ts';
import type { PageContext } from '../../page.ts';
import { type Dispute, describeChange, describeDispute, listDisputesIn } from './dispute.rule.ts';

const renderDispute = (context: PageContext, dispute: Dispute): Html => {
  const said = context.texts.dispute;
  const change = describeChange(context, dispute);
  return html`
<li id="dispute-${dispute.reference}"><p>${dispute.status === 'open' ? html`<strong>${describeDispute(context, dispute, context.now)}</strong>` : describeDispute(context, dispute, context.now)}${
    change !== undefined && html` ${change}.`
  } <span class="reference">${said.reference} ${dispute.reference}</span></p>${
    dispute.text !== undefined &&
    html`
<div class="reply"><p class="record-by">${said.says}:</p><p class="prose" dir="auto">${dispute.text}</p></div>`
  }</li>`;
};

/** Renders the disputes of the facts that a section shows, beside them. */
export const disputesIn = (
  context: PageContext,
  section: keyof Texts['broker']['sections'],
  disputes: readonly Dispute[] = [],
): Html | false => {
  const own = listDisputesIn(section, disputes);
  return (
    own.length > 0 &&
    html`
<ul class="disputes">${own.map((dispute) => renderDispute(context, dispute))}</ul>`
  );
};
