import type { Ask } from '../wire.ts';

/** Texts that people search for, and odd ones. The names of the brokers are added to them. */
const QUERIES = [
  'alpha',
  'alpha mark',
  'alhpa markets',
  'ALPHA',
  'a',
  'ma',
  'markets',
  'trade fx',
  'alpha-markets.example',
  'DEMO-1',
  'REF-fca',
  'Ltd',
  'group limited',
  'älpha',
  'Älpha FX',
  'zzzzzz',
  'alpha zzzzzz',
  '*',
  '"alpha"',
  'one two three four five six seven',
  'alpha alpha alpha',
  'brokers capital global prime',
  '24',
  'pro',
  'my',
  'ahpla',
  'pepperstne',
  'AFSL 100',
  '000100',
  'ａｌｐｈａ',
  'аlpha',
  'e\u0301toile',
  'ﬁ',
  'İstanbul',
  '日本',
  "o'neill",
  'a&b',
  'a+b',
  '100%',
  '(alpha)',
  '\\',
  '../..',
  '$where',
  '💹',
  'x'.repeat(100),
];

/** Searches for each broker by its name and the beginning of it, and for many other texts. */
export const search = async (ask: Ask, brokers: readonly { readonly name: string }[]): Promise<void> => {
  const texts = [...brokers.flatMap(({ name }) => [name, name.slice(0, 5)]), ...QUERIES];
  for (const text of new Set(texts)) await ask('search', { target: `/api/v1/search?q=${encodeURIComponent(text)}` });
};
