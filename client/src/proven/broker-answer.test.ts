import { type Entry, scoreFromRecord } from '@broker-transparency/contract/record';
import { recomputeScore } from '@broker-transparency/contract/score';
import { commitmentInput, leafInput, toBase64 } from '@broker-transparency/log';
import { expect, test } from 'vitest';
import { expectBroker } from '../audit/expected.ts';
import { isCommitted } from '../audit/openings.ts';
import { createOpener } from '../audit/texts.ts';
import type { BrokerDetail, Review } from '../generated/api.ts';
import type { BrokerAt } from '../generated/record.ts';
import type { RecordCalls } from '../record.ts';
import { sha256 } from '../verify/platform.ts';
import { compareBrokerAnswer, compareReviewAnswer } from './broker-answer.ts';
import { type AnswerTexts, type Evidence, readEvidence } from './evidence.ts';

const COMPUTED = '2026-11-20T00:00:00.000Z';
const VERSION = '2026-1';
const COMPLAINTS = [{ month: '2026-09', closed: 40, resolved: 10, timely: 12 }];
const [PROFILE, METHODOLOGY, COUNTED, DAY] = [
  'broker/alpha',
  `methodology/${VERSION}`,
  'complaints/alpha',
  'day/2026-11-20',
];
const COUNTS = { broker: 'alpha', months: COMPLAINTS };

const BROKER = {
  slug: 'alpha',
  name: 'Alpha',
  status: 'active',
  checked: true,
  entities: [],
  checklist: [],
  provenance: [],
};
const FACTS = {
  broker: BROKER,
  licenses: [],
  warnings: [],
  tiers: new Map(),
  ratingsByMonth: [],
  complaintsByMonth: COMPLAINTS,
};
const AT = {
  slug: 'alpha',
  score: { methodologyVersion: VERSION },
  facts: [
    { key: PROFILE, kind: 'broker', number: 1, value: BROKER },
    { key: COUNTED, kind: 'complaints', number: 2, value: COUNTS },
  ],
  ratingsByMonth: [],
  complaintsByMonth: COMPLAINTS,
} as unknown as BrokerAt;

/** Returns what an API answers by these complaints, with the score that follows from them. */
const answerBy = (complaintsByMonth: typeof COMPLAINTS): BrokerDetail => {
  const asked = { complaintsByMonth, score: { computedAt: COMPUTED, methodologyVersion: VERSION } } as BrokerDetail;
  const known = { key: 'alpha', facts: FACTS, complaints: null };
  const log = { findSlug: () => undefined, versions: [VERSION] };
  const expected = expectBroker(asked, { known, ratingsByMonth: [] }, log, () => undefined);
  return { ...asked, ...expected, recentReviews: [] } as unknown as BrokerDetail;
};

/** Returns the evidence with a day that has this score. */
const createDay = async () => {
  const { value, color } = scoreFromRecord(FACTS, VERSION, COMPUTED);
  const leaf = new TextEncoder().encode(JSON.stringify(['alpha', value, color]));
  const root = toBase64(await sha256(leafInput(leaf)));
  const entries = new Map(
    [
      { key: PROFILE, number: 1, kind: 'broker', value: BROKER },
      { key: METHODOLOGY, number: 0, kind: 'methodology', value: {} },
      { key: COUNTED, number: 2, kind: 'complaints', value: COUNTS },
      { key: DAY, number: 3, kind: 'day', value: { date: '2026-11-20', count: 1, root } },
    ].map((entry) => [entry.key as string, entry as unknown as Entry]),
  );
  const evidence: Evidence = { entries, uncovered: new Set(), open: () => undefined, checkpoint: undefined };
  return { day: { key: DAY as string, part: { index: 0, count: 1, leaf, hashes: [] } }, evidence, isOld: false };
};

test('a day confirms the score of an answer with the complaints of the record', async () => {
  const found = await compareBrokerAnswer(answerBy(COMPLAINTS), AT, await createDay());
  expect(found).toMatchObject({ differences: [], score: 'confirmed' });
  expect(found.unproven).not.toContain('score');
});

test('nothing proves the score of an answer with other complaints, though it follows from them', async () => {
  const better = answerBy(COMPLAINTS.map((month) => ({ ...month, resolved: month.closed, timely: month.closed })));
  expect(recomputeScore(better).value).toBe(better.score.value);
  expect(better.score.value).not.toBe(answerBy(COMPLAINTS).score.value);
  const found = await compareBrokerAnswer(better, AT, await createDay());
  expect(found).toMatchObject({ differences: [], score: 'otherwise' });
  expect(found.unproven).toEqual(expect.arrayContaining(['complaintsByMonth[0].resolved', 'score', 'color']));
});

test('complaints are those of their entry, whatever the record says of their sums', async () => {
  const invented = COMPLAINTS.map((month) => ({ ...month, resolved: month.closed }));
  const at = { ...AT, complaintsByMonth: invented };
  const found = await compareBrokerAnswer(answerBy(invented), at, await createDay());
  expect(found).toMatchObject({ differences: [], score: 'otherwise' });
  expect(found.unproven).toContain('complaintsByMonth[0].resolved');
});

const REVIEW_KEY = 'review/1';
const [EARLIER_SALT, SALT] = [toBase64(new Uint8Array(16)), toBase64(new Uint8Array(16).fill(1))];

const commit = async (salt: string, text: string) => toBase64(await sha256(commitmentInput({ salt, text })));

const createReviewEntry = async (salt: string, title: string): Promise<Entry> => {
  const value = { state: 'published', broker: 'alpha', rating: 4, month: '2026-11' };
  const texts = { title: await commit(salt, title), content: await commit(SALT, 'It pays.') };
  return { key: REVIEW_KEY, number: 7, kind: 'review', value: { ...value, texts } } as unknown as Entry;
};

/** Reads the entry as the API gives it: always with the random bytes of the newest text. */
const readAs = (entry: Entry, texts: AnswerTexts, newest?: Evidence['entries']): Promise<Evidence> => {
  const salts = { title: SALT, content: SALT };
  const data = [{ key: REVIEW_KEY, number: 7, entry: JSON.stringify(entry), salts }];
  const check = async () => ({ data, checkpoint: undefined });
  return readEvidence({} as RecordCalls, check as never, { keys: [REVIEW_KEY], texts, newest, signal: undefined });
};

test.each([
  ['a title that changed since is not proven', { earlier: 'Then', title: 'Then', content: 'It pays.' }, [], ['title']],
  ['another title that did not change differs', { earlier: 'Now', title: 'No', content: 'It pays.' }, ['title'], []],
  [
    'another text beside a changed title differs',
    { earlier: 'Then', title: 'Then', content: 'No' },
    ['content'],
    ['title'],
  ],
])(
  'an answer of an earlier state is judged: %s',
  async (_, { earlier: earlierTitle, title, content }, differences, unproven) => {
    const review = {
      id: '1',
      brokerSlug: 'alpha',
      rating: 4,
      identityVerified: true,
      title,
      content,
      author: {},
      createdAt: '2026-11-03T00:00:00.000Z',
    } as unknown as Review;
    const texts = new Map([[REVIEW_KEY, { title, content }]]);
    const newest = new Map([[REVIEW_KEY, await createReviewEntry(SALT, 'Now')]]);
    const earlier = await createReviewEntry(earlierTitle === 'Now' ? SALT : EARLIER_SALT, earlierTitle);
    const evidence = await readAs(earlier, texts, newest);
    const found = compareReviewAnswer(review, { slug: 'alpha', names: ['alpha'], isMute: false }, evidence, true);
    expect(found.differences.map(({ path }) => path)).toEqual(differences);
    expect(found.unproven.filter((path) => ['title', 'content'].includes(path))).toEqual(unproven);
  },
);

test.each([
  ['its reply', false, 'We regret it.', []],
  ['no reply', false, undefined, ['reply']],
  ['another reply', false, 'We regret nothing.', ['reply.content']],
  ['its reply, although the firm is mute now', true, 'We regret it.', []],
  ['no reply of a mute firm', true, undefined, []],
  ['another reply of a mute firm', true, 'We regret nothing.', ['reply.content']],
])('a review with a reply is shown with %s', async (_, isMute, reply, differences) => {
  const texts = { content: await commit(SALT, 'It pays.'), reply: await commit(SALT, 'We regret it.') };
  const value = { state: 'published', broker: 'alpha', rating: 4, month: '2026-11', texts } as const;
  const review = {
    id: '1',
    brokerSlug: 'alpha',
    rating: 4,
    identityVerified: true,
    title: '',
    content: 'It pays.',
    author: { displayName: '' },
    createdAt: '2026-11-03T00:00:00.000Z',
    ...(reply === undefined ? {} : { reply: { content: reply } }),
  } as unknown as Review;
  const open = createOpener(new Map([[REVIEW_KEY, { content: SALT, reply: SALT }]]), isCommitted);
  const evidence = { entries: new Map([[REVIEW_KEY, { value }]]), open } as unknown as Evidence;
  const found = compareReviewAnswer(review, { slug: 'alpha', names: ['alpha'], isMute }, evidence, false);
  expect(found.differences.map(({ path }) => path)).toEqual(differences);
});
