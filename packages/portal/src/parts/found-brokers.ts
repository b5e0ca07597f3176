import type { BrokerDetail } from '@broker-transparency/client';
import { type Html, html, toBdi } from '../html.ts';
import type { AlikeEvidence, Alikes, AlikeWarning } from '../look-alikes.ts';
import type { PageContext } from '../page.ts';

/** A found broker, as published now. */
export interface FoundBroker {
  readonly broker: BrokerDetail;
  readonly evidence: readonly AlikeEvidence[];
}

/** Reads the found brokers: one may have been removed meanwhile. */
export const readFound = async ({ client }: PageContext, { brokers }: Alikes): Promise<FoundBroker[]> => {
  const all = await Promise.all(
    brokers.map(async ({ slug, evidence }): Promise<FoundBroker | undefined> => {
      try {
        return { broker: await client.brokers.get(slug), evidence };
      } catch (error) {
        if ((error as { status?: unknown }).status === 404) return undefined;
        throw error;
      }
    }),
  );
  return all.filter((one) => one !== undefined);
};

/** Renders the published values that match the text. */
export const evidenceList = ({ texts }: PageContext, evidence: readonly AlikeEvidence[]): Html => html`
<ul class="because">${evidence.map(
  ({ field, match, value }) => html`<li>${texts.clone.because[field][match]}: <strong>${toBdi(value)}</strong></li>`,
)}</ul>`;

/** Renders a found warning of an authority. */
export const warningItem = (context: PageContext, warning: AlikeWarning): Html => {
  const { authority, title, url, publishedAt, credit, evidence } = warning;
  const { format, texts } = context;
  const { clone } = texts;
  return html`<li class="found">
<h3>${toBdi(authority)}</h3>
<p><a href="${url}" rel="noopener nofollow">${toBdi(title)}</a></p>
${publishedAt !== null && html`<p>${clone.published({ day: format.day(publishedAt) })}.</p>\n`}${evidenceList(context, evidence)}
${credit !== null && html`<p class="soft">${clone.credit({ text: credit })}</p>\n`}</li>
`;
};
