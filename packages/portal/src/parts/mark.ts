import type { BrokerDetail } from '@broker-transparency/client';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page.ts';

/** Renders the mark of a broker, if it has one that pages show. A page is complete without it, so no fault stops it. */
export const brokerMark = async (
  { marks, now, texts }: PageContext,
  broker: BrokerDetail,
): Promise<Html | undefined> => {
  const hash = await marks.find(broker, now).catch(() => undefined);
  if (hash === undefined) return undefined;
  return html`<img class="broker-mark" src="/marks/${hash}.png" width="48" height="48" alt="${texts.site.mark({ name: broker.name })}">`;
};
