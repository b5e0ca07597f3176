import { Language, NewsItem, Text, WebUrl } from '@broker-transparency/contract';
import * as z from 'zod';
import { DomainError } from '../../../platform/domain-error.ts';

const Host = z
  .string()
  .refine(
    (host) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && URL.parse(`https://${host}/`)?.hostname === host,
    'must be a host name such as regulator.example, in lower case, without scheme and port',
  );

/** A configured feed, with facts that the feed itself does not state. */
export const Feed = z.strictObject({
  url: WebUrl,
  /** The publisher, named in every item. */
  source: NewsItem.shape.source,
  language: Language,
  /** Default category of its items, which keywords in titles override. */
  category: NewsItem.shape.category,
  severity: NewsItem.shape.severity.default('info'),
  /** Hosts that the publisher owns, besides the host of the feed's address. */
  hosts: z.array(Host).max(50, 'must have at most 50 hosts').default([]),
  /** True if its items may have a severity above `info`. */
  authority: z.boolean('must be true or false').default(false),
  /** The regulator that it speaks for, linked to every item. */
  regulator: NewsItem.shape.regulatorCodes.element.optional(),
  /** The terms under which its items may be shown, as information for operators. */
  licence: Text(1, 200).optional(),
  attribution: Text(1, 300).optional(),
});
export type Feed = z.infer<typeof Feed>;

const refuseRepeated = (feeds: readonly Feed[], ctx: z.RefinementCtx): void => {
  for (const [index, { url }] of feeds.entries())
    if (feeds.findIndex((feed) => feed.url === url) < index)
      ctx.addIssue({ code: 'custom', path: [index, 'url'], message: 'must not repeat an earlier feed' });
};

/** Refuses fields that only an authority may have. */
const refusePresumed = (feeds: readonly Feed[], ctx: z.RefinementCtx): void => {
  for (const [index, { authority, severity, regulator }] of feeds.entries()) {
    if (authority) continue;
    const refuse = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [index, field], message });
    if (severity !== 'info') refuse('severity', 'must be info, or the feed must have "authority": true');
    if (regulator !== undefined) refuse('regulator', 'needs "authority": true');
  }
};

const Feeds = z
  .array(Feed, 'must be a list of feeds')
  .min(1, 'must have at least one feed')
  .max(200, 'must have at most 200 feeds')
  .superRefine(refuseRepeated)
  .superRefine(refusePresumed);

const formatPlace = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the file'
    : path
        .map((part, at) => (typeof part === 'number' ? `${at === 0 ? 'feed ' : ''}${part + 1}` : String(part)))
        .join(', ');

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new DomainError('invalid_input', `is not JSON: ${(error as Error).message.replace(/\s+/g, ' ')}`);
  }
};

/** @throws DomainError invalid_input naming each fault and its place */
export const parseFeeds = (text: string): Feed[] => {
  const result = Feeds.safeParse(parseJson(text));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${formatPlace(path)}: ${message}`);
  throw new DomainError('invalid_input', [...new Set(faults)].join('; '));
};
