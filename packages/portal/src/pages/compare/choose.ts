import type { BrokerDetail, BrokerSummary } from '@broker-transparency/client';
import { Slug } from '@broker-transparency/contract';
import type { PageContext } from '../../page.ts';
import { askedText } from '../search.ts';

/** Result for an input: one broker, several candidates, or none. */
export type BrokerChoice =
  | { readonly broker: BrokerDetail }
  | { readonly asked: string; readonly choices: readonly BrokerSummary[] }
  | undefined;

const readBySlug = async ({ client }: PageContext, asked: string): Promise<BrokerDetail | undefined> => {
  const slug = Slug.safeParse(asked).data;
  if (slug === undefined) return undefined;
  const { data, error } = await client.safe.brokers.get(slug);
  if (error && error.code !== 'broker_not_found') throw error;
  return data;
};

/** Finds a broker by its slug, or by search words. */
export const chooseBroker = async (context: PageContext, given: string | undefined): Promise<BrokerChoice> => {
  const asked = askedText(given);
  if (asked === undefined) return undefined;
  const bySlug = await readBySlug(context, asked);
  if (bySlug) return { broker: bySlug };
  const { data: choices } = await context.client.search({ q: asked });
  const named = choices.filter(({ name }) => name.toLowerCase() === asked.toLowerCase());
  const [only, ...others] = named.length > 0 ? named : choices;
  const slug = only && others.length === 0 ? only.slug : asked.toLowerCase();
  const broker = slug === asked ? undefined : await readBySlug(context, slug);
  return broker ? { broker } : { asked, choices };
};
