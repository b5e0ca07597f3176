import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashCode } from './features/notices/address.rule.ts';
import type { PersonSession } from './http/auth/person-session.ts';
import { closeDb, connectMongo, type Db, database } from './platform/mongo.ts';
import { connectPrivatePages } from './private-actions.ts';

const NOW = new Date('2026-11-28T10:00:00Z');
const later = new Date('2026-12-28T10:00:00Z');
const clock = (): Date => NOW;
const ACCOUNT = 'account-quillfeather';
const TEXT = 'Quillfeather writes this for the firm.';
const CODE = 'AAAAA-BBBBB';
const REVIEW = 'a'.repeat(24);
const COMPLAINT = 'C-2222222222';

const named = { register: 'fca', place: '1', requestedBy: 'operator:ada', requestedAt: NOW };
const words = { title: 'Slow', content: 'It took long.', accountId: 'author', broker: 'alpha', createdAt: NOW };

/**
 * The rows that a transaction sees which begins before the erasure of its account. The account itself is gone, as it
 * is once the transaction ends.
 */
const ROWS: Readonly<Record<string, readonly mongoose.mongo.BSON.Document[]>> = {
  brokerProfiles: ['alpha', 'beta'].map((slug) => ({ _id: slug, id: slug, name: slug, status: 'operating' })),
  erasures: [{ _id: ACCOUNT, subjectHash: '0'.repeat(64), reason: 'requested', erasedAt: NOW, finishedAt: NOW }],
  representatives: [
    { _id: 'rp_alpha', broker: 'alpha', status: 'active', accountId: ACCOUNT, claimedAt: NOW, ...named },
    { _id: 'rp_beta', broker: 'beta', status: 'confirmed', codeHash: hashCode(CODE), codeEndsAt: later, ...named },
  ],
  reviews: [
    {
      ...{
        _id: new mongoose.Types.ObjectId(REVIEW),
        ...words,
        status: 'published',
        publishedAt: NOW,
        personKey: 'author',
      },
      ...{ rating: 2, language: 'en', author: { displayName: 'Reviewer' }, identityVerified: false },
    },
  ],
  complaints: [
    {
      ...{ _id: COMPLAINT, ...words, status: 'forwarded', screenedAt: NOW, forwardedAt: NOW },
      ...{ category: 'withdrawal', kycVerified: true, consentToForward: true },
    },
  ],
};

let scratch: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectMongo(scratch.url, PATIENT);
});
afterAll(async () => {
  if (db) await closeDb(db);
  await scratch?.remove();
});
beforeEach(async () => {
  for (const { collectionName } of await database(db).collections())
    await database(db).collection(collectionName).deleteMany({});
  for (const [name, rows] of Object.entries(ROWS))
    await database(db)
      .collection(name)
      .insertMany([...rows]);
});

const session: PersonSession = {
  id: 'session',
  principal: { accountId: ACCOUNT, scopes: [], kycVerified: false, personKey: ACCOUNT, displayName: 'Reviewer' },
  subject: 'quillfeather',
  method: 'link',
  label: 'quillfeather',
  createdAt: NOW,
  endsAt: later,
  isFresh: true,
  formToken: '',
};

/** Returns what the person can do for their firms. */
const openAnswers = () =>
  connectPrivatePages({
    ...{ db, clock, complaintsPerDay: 1, erasureList: '', log: { warn: () => {}, info: () => {} } as never },
    ...{ publicUrl: 'https://ratings.example', keepsAddresses: false },
    signIn: { provider: undefined, kycUrl: undefined, demo: undefined },
  }).actionsFor({ session, visitor: undefined, cookies: {} as never, address: '::1', language: 'en' }).disputes;

type Answers = ReturnType<typeof openAnswers>;

test.each([
  ['a code', (answers: Answers) => answers.claim(CODE)],
  ['a reply', (answers: Answers) => answers.reply('alpha', REVIEW, TEXT)],
  ['a dispute', (answers: Answers) => answers.dispute('alpha', { field: 'name', text: TEXT, evidence: [] })],
  ['an answer to a complaint', (answers: Answers) => answers.answerComplaint('alpha', COMPLAINT, 'We paid.')],
])('nothing about a person is left if they send %s while they are erased', async (_what, send) => {
  await expect(send(openAnswers())).rejects.toMatchObject({ code: 'invalid_token' });
  const left = await Promise.all(
    ['representatives', 'reviewReplies', 'disputes'].map((name) => database(db).collection(name).find().toArray()),
  );
  expect(JSON.stringify(left)).not.toMatch(/quillfeather/i);
});
