import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readEntries, UnreadableFeed } from './entries.ts';
import { plainText } from './excerpt.ts';
import { createMentions, type RegulatorNames } from './mentions.ts';

/** The CPU time of some work in milliseconds. Other programs on the machine do not count, but they slow it down. */
const cpuMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** Less is too short to be compared. */
const FLOOR_MS = 20;
/** Number of times that the whole is measured before it counts as slow. */
const TRIES = 3;

/**
 * Expects that work on eight times the input takes about eight times as long. If it grew with the square, it would take
 * 64 times as long, at every try.
 */
const expectLinear = (work: (size: number) => void, size: number): void => {
  const small = () => cpuMs(() => work(size / 8));
  small(); // compiles it
  const ratios: number[] = [];
  while (ratios.length < TRIES && !ratios.some((ratio) => ratio < 32)) {
    const least = Math.max(FLOOR_MS, Math.min(small(), small()));
    ratios.push(cpuMs(() => work(size)) / least);
  }
  expect(Math.min(...ratios), `the whole takes ${ratios} times as long as an eighth`).toBeLessThan(32);
};

const rss = (items: string, before = '') =>
  `<?xml version="1.0"?>${before}<rss version="2.0"><channel><title>F</title>${items}</channel></rss>`;

test.each([
  ['tags', '<a/>'],
  ['items', '<item><title>q</title></item>'],
  ['comments', '<!-- -->'],
  ['open comments', '<!--'],
  ['open tags', '<title>'],
  ['open sections', '<![CDATA['],
  ['attributes', '<a b="c" d e=f />'],
  ['ampersands', '&#'],
])('a feed with two megabytes of %s is read or refused in linear time', (_what, part) => {
  expectLinear((size) => {
    try {
      readEntries(rss(part.repeat(size / part.length)));
    } catch (error) {
      expect(error).toBeInstanceOf(UnreadableFeed);
    }
  }, 2_000_000);
});

test('a feed with a megabyte of document types before the root is refused in linear time', () => {
  expectLinear((size) => {
    expect(() => readEntries(rss('', '<!DOCTYPE'.repeat(size / 9)))).toThrow(UnreadableFeed);
  }, 1_000_000);
});

test.each(['<div>', '<table><tr><td>', '<ul><li>', '<b>', '<', '&', '&#', '<a ', '<!--', '<br>', '</p>', '<svg>'])(
  'plain text is made of a megabyte of %j in linear time',
  (part) => {
    expectLinear((size) => {
      plainText(part.repeat(size / part.length));
    }, 1_000_000);
  },
);

const regulators: RegulatorNames[] = JSON.parse(
  readFileSync(new URL('../../../../data/regulators.json', import.meta.url), 'utf8'),
);

test('mentions of 60 000 brokers are searched in a long text in time that grows with their number', () => {
  expectLinear((size) => {
    const many = Array.from({ length: size }, (_, n) => ({
      slug: `b-${n}`,
      names: [`Broker${n} Markets`, `Name${n} Ltd`],
      domains: [`b${n}.example`],
    }));
    const search = createMentions(many, regulators);
    const text = 'Broker7 Markets and more words. '.repeat(600);
    for (let n = 0; n < 50; n++) expect(search([text], 'en').brokerSlugs).toEqual(['b-7']);
  }, 60_000);
});

const find = createMentions(
  [
    { slug: 'alpha-markets', names: ['Alpha Markets', 'Älpha FX'], domains: ['alpha-markets.example'] },
    { slug: 'etrader', names: ['Etrader', "Jack's Bank & Sons"], domains: [] },
  ],
  regulators,
);

test.each(['a', '.', '-', 'a.', 'Alpha ', 'É'])('mentions are searched in a long run of %j in linear time', (part) => {
  expectLinear((size) => {
    find([part.repeat(size / part.length)], 'en');
  }, 20_000);
});
