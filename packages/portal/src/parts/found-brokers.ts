import type { BrokerDetail } from '@broker-transparency/client';
import { type Html, html, toBdi } from '../html.ts';
import type { AlikeEvidence, Alikes, AlikeWarning } from '../look-alikes.ts';
import type { PageContext } from '../page.ts';

/** A broker that was found by what somebody typed, as it is published now. */
export interface FoundBroker {
  readonly broker: BrokerDetail;
  readonly evidence: readonly AlikeEvidence[];
}

/** Reads the brokers that were found: one can be gone since. */
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

/** Lists what a broker has of what was typed. */
export const evidenceList = ({ texts }: PageContext, evidence: readonly AlikeEvidence[]): Html => html`
<ul class="because">${evidence.map(
  ({ field, match, value }) => html`<li>${texts.clone.because[field][match]}: <strong>${toBdi(value)}</strong></li>`,
)}</ul>`;

/** Lists a warning of an authority that was found. */
export const warningItem = (context: PageContext, warning: AlikeWarning): Html => {
  const { authority, title, url, publishedAt, credit, evidence } = warning;
  const { format, texts } = context;
  const { clone } = texts;
  return html`<li class="found">
<h3>${toBdi(authority)}</h3>
<p><a href="${url}" rel="noopener nofollow">${toBdi(title)}</a></p>
${publishedAt !== null && html`<p>${clone.published(format.day(publishedAt))}.</p>\n`}${evidenceList(context, evidence)}
${credit !== null && html`<p class="soft">${clone.credit(credit)}</p>\n`}</li>
`;
};
