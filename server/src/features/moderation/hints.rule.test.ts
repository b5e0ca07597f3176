import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHints, findMarks, type HintedReview, type Surroundings } from './hints.rule.ts';

const ALONE: Surroundings = { candidates: [], lastDay: 1, before: 30 };
const PLAIN: HintedReview = {
  rating: 4,
  title: 'Quick to pay out',
  content: 'I withdrew twice this year and both times the money came within two days.',
  language: 'en',
};
const codes = (over: Partial<HintedReview> = {}, around: Partial<Surroundings> = {}) =>
  findHints({ ...PLAIN, ...over }, { ...ALONE, ...around }).map(({ code }) => code);

test('a plain review has no hint', () => expect(codes()).toEqual([]));

describe('a near-duplicate', () => {
  test('names the most similar review', () => {
    const candidates = [
      { id: 'a', content: 'I withdrew once this year and it took a month until the money came.' },
      { id: 'b', content: `${PLAIN.content} Thanks!` },
      { id: 'c', content: PLAIN.content.toUpperCase() },
    ];
    expect(findHints(PLAIN, { ...ALONE, candidates })).toEqual([
      { code: 'near_duplicate', detail: '100 % of the text is that of review c' },
    ]);
    expect(codes({}, { candidates: candidates.slice(0, 1) })).toEqual([]);
  });
});

describe('links and contact data', () => {
  test.each<[string, string[]]>([
    ['See https://better-broker.example/offer for more.', ['link']],
    ['See www.better-broker.example for more.', ['link']],
    ['Go to better-broker.com instead of this one.', ['link']],
    ['Write to max.muster@mail.example and he helps.', ['contact_data']],
    ['Call +44 20 7946 0958 and ask for the manager.', ['contact_data']],
    ['Ask on telegram: @goldtrader77 how it works.', ['contact_data']],
    ['He is on WhatsApp 447700900123 all day long.', ['contact_data']],
    ['Join t.me/goldtrader77 for signals every day.', ['contact_data']],
    ['Write to max@gmail.com and he answers within a day.', ['contact_data']],
    ['The support on WhatsApp never answered me at all.', []],
    ['They took 1.250,00 EUR and 3.5 pips on 2026-01-15.', []],
    ['It works with MetaTrader.The fees are low enough.', []],
    ['Order 4471120098 was filled at 1.0845 in the end.', []],
  ])('finds the expected hints in: %s', (content, expected) => {
    expect(codes({ content })).toEqual(expected);
  });

  test('a link is shown by its start, cut between characters', () => {
    const content = `Go to http://${'😀'.repeat(60)} now`;
    expect(findHints({ ...PLAIN, content }, ALONE)).toEqual([
      { code: 'link', detail: `a link: http://${'😀'.repeat(53)}` },
    ]);
  });
});

describe('the tone compared with the rating', () => {
  test.each<[number, string, string, boolean]>([
    [5, 'en', 'A scam, they refused my withdrawal twice.', true],
    [5, 'en', 'Not a scam at all, and they never refused a withdrawal.', false],
    [5, 'en', 'Never again! They refused my withdrawal, it is a scam.', true],
    [5, 'en', 'Others call it a scam and a fraud, I find it reliable.', false],
    [1, 'en', 'Great platform, excellent support, and a fast payout.', true],
    [1, 'en', 'Not great, not good, and the support is not helpful.', false],
    [3, 'en', 'A scam, they refused my withdrawal twice.', false],
    [5, 'de-AT', 'Betrug und Abzocke, die Auszahlung kam nach Wochen.', true],
    [1, 'de', 'Zuverlässig und ehrlich, die Auszahlung kam am Tag danach.', true],
    [5, 'es', 'Una estafa, son ladrones y no contestan al teléfono.', true],
    [1, 'fr', 'Un courtier fiable et honnête, le retrait est arrivé.', true],
    [5, 'pt', 'A scam, they refused my withdrawal twice.', false],
  ])('%s stars, %s: %s', (rating, language, content, expected) => {
    expect(codes({ rating, language, content, title: '…' }).includes('tone')).toBe(expected);
  });
});

describe('the language compared with the stated one', () => {
  const german =
    'Ich habe das Konto im Mai eröffnet und der Support ist gut. Die Auszahlung wurde mit der Karte gemacht, ' +
    'auch das ging.';
  test.each<[string, string, boolean]>([
    ['en', german, true],
    ['de', german, false],
    ['nl', german, false],
    ['en', 'Быстрый вывод денег, поддержка отвечает сразу', true],
    ['ru', 'Быстрый вывод денег, поддержка отвечает сразу', false],
    ['sr-Latn', 'Быстрый вывод денег, поддержка отвечает сразу', false],
    ['sr', 'Быстрый вывод денег, поддержка отвечает сразу', false],
    ['ja', '出金はとても速くて、サポートもすぐに答えてくれました。', false],
    ['zh-Hant-TW', 'The money came on the second day and they answered.', false],
    ['ru', 'MT5 OK', false],
    ['en', PLAIN.content, false],
    ['fr', 'Retrait reçu deux jours après la demande, rien à dire de plus.', false],
  ])('%s: %s', (language, content, expected) => {
    expect(codes({ language, content }).includes('language')).toBe(expected);
  });
});

test.each([
  [7, 0, false],
  [8, 0, true],
  [8, 144, true],
  [8, 145, false],
  [50, 900, true],
  [49, 900, false],
])('%s reviews in a day after %s in 90 days are a burst: %s', (lastDay, before, expected) => {
  expect(codes({}, { lastDay, before })).toEqual(expected ? ['burst'] : []);
});

test('any review has readable hints, whatever order candidates come in', () => {
  const piece = fc.constantFrom(
    ...[
      'https://',
      'http://',
      'www.a.com/',
      'a@b.example',
      '+49 30 1234567',
      'telegram: @alice',
      't.me/x',
      '😀'.repeat(30),
    ],
    ...['bad ', 'good ', 'not ', 'scam ', 'und ', 'the ', 'Я', '出', '. ', '\n', PLAIN.content],
  );
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  const language = fc.constantFrom('en', 'de', 'ru', 'zh-Hant-TW', 'sr-Latn', 'xx');
  const review = fc.record({ rating: fc.constantFrom(1, 2.5, 5), title: text, content: text, language });
  const count = fc.nat(100);
  fc.assert(
    fc.property(review, fc.array(text, { maxLength: 3 }), count, count, (given, others, lastDay, before) => {
      const candidates = others.map((content, index) => ({ id: `r${index}`, content }));
      const hints = findHints(given, { candidates, lastDay, before });
      for (const { detail } of hints) {
        expect(detail.isWellFormed()).toBe(true);
        expect(Array.from(detail).length).toBeLessThanOrEqual(100);
      }
      expect(findHints(given, { candidates: candidates.toReversed(), lastDay, before })).toEqual(hints);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});

describe('marks', () => {
  test.each<[string, Parameters<typeof findMarks>, string[]]>([
    [
      'an address and a link',
      ['Write to me@mail.example or see www.signals.example.', ['contact_data', 'link']],
      ['me@mail.example', 'www.signals.example.'],
    ],
    ['a number once, where two hints overlap', ['Call +44 20 7946 0000 now', ['contact_data']], ['+44 20 7946 0000']],
    ['nothing that no hint is about', ['See www.signals.example', ['tone']], []],
  ])('cover %s', (_, [text, codes], expected) => {
    expect(findMarks(text, codes).map(({ from, to }) => text.slice(from, to))).toEqual(expected);
  });
});
