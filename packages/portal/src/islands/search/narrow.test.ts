import { expect, test } from 'vitest';
import { createSuggestionCache, narrow, type SuggestedBroker, splitWords } from './narrow.ts';

const broker = (slug: string, over: Partial<SuggestedBroker> = {}): SuggestedBroker =>
  ({
    slug,
    name: slug,
    legalName: `${slug} Ltd`,
    tradingNames: [],
    domains: [],
    ...over,
  }) as unknown as SuggestedBroker;

const alpha = broker('alpha-markets', { name: 'Alpha Markets', domains: ['alpha.example'] });
const beta = broker('beta-fx', { name: 'Bêta FX', tradingNames: ['Marketplace24'] });
const gamma = broker('gamma', { predecessors: [{ slug: 'old', name: 'Omega', how: 'renamed', until: '2020' }] });
const all = [alpha, beta, gamma];

test.each([
  ['Alpha-Markets, Ltd.', ['alpha', 'markets', 'ltd']],
  ['BÊTA', ['beta']],
  ['', []],
  ['…!', []],
  ['日本 FX', ['日本', 'fx']],
])('the words of %j are %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test.each([
  ['mark', [alpha, beta]],
  ['alpha m', [alpha]],
  ['m alpha', [alpha]],
  ['beta', [beta]],
  ['omega', [gamma]],
  ['pha', []],
  ['', all],
])('%j leaves those with words that begin like it', (query, left) => {
  expect(narrow(all, query)).toEqual(left);
});

test('an answer is kept, and what begins with its query is answered from it until it has its own', () => {
  const memory = createSuggestionCache();
  expect(memory.find('m')).toBeUndefined();
  memory.keep('m', [alpha, beta]);
  expect(memory.find(' M ')).toEqual({ brokers: [alpha, beta], isAnswer: true });
  expect(memory.find('marketp')).toEqual({ brokers: [beta], isAnswer: false });
  expect(memory.find('m alpha')).toEqual({ brokers: [alpha], isAnswer: false });
  memory.keep('marketp', []);
  expect(memory.find('marketp')).toEqual({ brokers: [], isAnswer: true });
  expect(memory.find('marketpl')).toEqual({ brokers: [], isAnswer: false });
  expect(memory.find('x')).toBeUndefined();
});

test('keeps a limited number of answers, the newest ones', () => {
  const memory = createSuggestionCache();
  for (let n = 0; n < 100; n++) memory.keep(`q${n}x`, [alpha]);
  expect(memory.find('q0x')).toBeUndefined();
  expect(memory.find('q99x')?.isAnswer).toBe(true);
});
