import { hasLicenseEnded } from '@broker-transparency/contract';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { renderExternalLink } from '../../links.ts';
import { followLink } from '../../parts/follow.ts';
import { type BrokerView, section } from './parts.ts';
import { hasEnded } from './state.rule.ts';

/** Renders instructions for reviews and complaints: the site itself has no sign-in. */
export const takePart = (view: BrokerView): Html => {
  const { context, texts, broker, regulators } = view;
  const { takePart: words } = texts;
  const procedure = broker.checklist.find(({ key, met }) => key === 'complaintProcedure' && met === true)?.sourceUrl;
  const codes = new Set(
    broker.licenses.filter((one) => !hasLicenseEnded(one)).map(({ regulatorCode }) => regulatorCode),
  );
  const supervisors = [...codes].flatMap((code) => regulators.get(code) ?? []);
  const review = html`
<h3>${words.review}</h3>
<p>${words.reviewText}</p>`;
  const links =
    (procedure || supervisors.length > 0) &&
    html`
<ul>${procedure && html`<li>${renderExternalLink(procedure, words.procedure)}</li>`}${supervisors.map(
      ({ name, complaintsUrl }) => html`<li>${words.regulators}: ${renderExternalLink(complaintsUrl, name)}</li>`,
    )}</ul>`;
  const steps = hasEnded(broker) ? words.complainSteps.slice(0, 2) : words.complainSteps;
  return section(view, 'takePart', [
    hasEnded(broker) ? html`<p>${words.ended}</p>` : review,
    html`<h3>${words.complain}</h3>
<ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>`,
    links,
    !hasEnded(broker) && html`<p>${words.noSignIn} <a href="${addressIn(context, '/docs')}">${words.how}</a></p>`,
    html`<p>${context.texts.dispute.offer} <a href="${addressIn(context, `/brokers/${broker.slug}/dispute`)}" rel="nofollow">${context.texts.dispute.offerLink}</a></p>`,
    followLink(context, `/brokers/${broker.slug}/feed.atom`, context.texts.spread.follow.broker),
    html`<p><a href="${addressIn(context, `/badges/${broker.slug}`)}">${context.texts.spread.offer}</a></p>`,
  ]);
};
