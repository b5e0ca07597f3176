import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { verifyReview } from '@broker-transparency/client/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, post, succeeded } from '../support/filled-service.ts';
import { runCli } from '../support/process.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow, newsRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createPolicy, newLogKey, type TestKey, untilAllSigned } from '../support/signed-log.ts';

let service: LocalService;
let scratch: Scratch;
let key: TestKey;
const SLUG = 'alpha-markets';
const CLIENT = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));

beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
  service = await startService({ LOG_KEY: key.file });
  await importRows(service, 'brokers', [brokerRow(SLUG, { description: 'Broker for currency pairs.' })]);
  await importRows(service, 'news', [newsRow(1, { brokerSlugs: [SLUG] })]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

type Salts = Readonly<Record<string, string>>;

const ask = (keys: string): Promise<Response> =>
  fetch(`${service.origin}/transparency/v1/openings?keys=${encodeURIComponent(keys)}`);

/** Returns the random bytes of public texts, by key and field. */
const readOpenings = async (...keys: readonly string[]): Promise<Readonly<Record<string, Salts>>> => {
  const response = await ask(keys.join());
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control'), 'nobody keeps what may be erased').toBe('no-store');
  const { data } = (await response.json()) as { data: { key: string; salts: Salts }[] };
  return Object.fromEntries(data.map(({ key, salts }) => [key, salts]));
};

/** Returns the commitments of the last entry of a key, by field. */
const readCommitments = async (key: string): Promise<Salts> => {
  await service.settle();
  const value = (await readRecord(service)).filter((entry) => entry.key === key).at(-1)?.value as { texts?: Salts };
  return value.texts ?? {};
};

const commitment = (salt: string, text: string): string =>
  createHash('sha256').update(Buffer.from(salt, 'base64')).update(text).digest('base64');

/** Publishes a review by somebody. Returns its id and key, and the token of its author. */
const published = async (subject: string) => {
  const token = await createToken(service, subject);
  const { id } = (await (await post(service, '/reviews', token, reviewBody(SLUG))).json()) as { id: string };
  const before = await readOpenings(`review/${id}`);
  expect(before, 'a review that waits is not public').toEqual({});
  succeeded(await service.cli('review', 'publish', id));
  return { id, key: `review/${id}`, token };
};

test('anybody opens the commitments of public texts: of reviews, brokers and news', async () => {
  const { key: reviewKey } = await published('reader');
  const news = (await readRecord(service)).find((entry) => entry.kind === 'news')?.key as string;
  const openings = await readOpenings(reviewKey, `broker/${SLUG}`, news, 'review/nobody');
  expect(Object.keys(openings).sort()).toEqual([`broker/${SLUG}`, reviewKey, news].sort());
  const { title, content } = reviewBody(SLUG) as { title: string; content: string };
  const committed = await readCommitments(reviewKey);
  for (const [field, text] of Object.entries({ title, content }))
    expect(commitment(openings[reviewKey]?.[field] as string, text), field).toBe(committed[field]);
  expect(commitment(openings[`broker/${SLUG}`]?.['description'] as string, 'Broker for currency pairs.')).toBe(
    (await readCommitments(`broker/${SLUG}`))['description'],
  );
});

test('the random bytes of a reply come and go with it', async () => {
  const { id, key: of } = await published('replied');
  succeeded(await service.cli('review', 'reply', id, '--content', 'Thank you.'));
  const { reply = '' } = (await readOpenings(of))[of] ?? {};
  expect(commitment(reply, 'Thank you.')).toBe((await readCommitments(of))['reply']);
  succeeded(await service.cli('review', 'reply', id, '--remove'));
  expect(Object.keys((await readOpenings(of))[of] ?? {}).sort()).toEqual(['author', 'content', 'title']);
});

test.each<[how: string, act: (review: Awaited<ReturnType<typeof published>>, subject: string) => Promise<unknown>]>([
  ['a removal', async ({ id }) => succeeded(await service.cli('review', 'remove', id, '--reason', 'insult'))],
  [
    'a withdrawal',
    async ({ id, token }) => {
      const address = `${service.origin}/account/v1/reviews/${id}/withdrawal`;
      const response = await fetch(address, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
      expect(response.status).toBe(201);
    },
  ],
  [
    'an erasure',
    async (_, subject) =>
      succeeded(await service.cli('account', 'erase', subject, '--yes', subject, '--reason', 'requested')),
  ],
])('nobody can open any text of a review after %s, and no entry commits to one', async (how, act) => {
  const subject = how.replace(' ', '-');
  const review = await published(subject);
  expect(Object.keys((await readOpenings(review.key))[review.key] ?? {}).sort()).toEqual([
    'author',
    'content',
    'title',
  ]);
  await act(review, subject);
  expect(await readOpenings(review.key)).toEqual({});
  expect(await readCommitments(review.key)).toEqual({});
});

test('the author of a review gets a file that shows its words, also after the review was removed, and nobody else does', async () => {
  const { id, token } = await published('author');
  await untilAllSigned(service);
  const fetchProof = (bearer: string): Promise<Response> =>
    fetch(`${service.origin}/account/v1/reviews/${id}/proof`, { headers: { Authorization: `Bearer ${bearer}` } });
  const file = await (await fetchProof(token)).text();
  succeeded(await service.cli('review', 'remove', id, '--reason', 'insult'));
  const trust = { policy: createPolicy(key) };
  const { texts, entry } = await verifyReview(file, trust);
  const { title, content } = reviewBody(SLUG) as { title: string; content: string };
  expect(texts).toMatchObject({ title, content });
  expect(entry).toMatchObject({ key: `review/${id}` });
  const reworded = file.replace(JSON.stringify(content), JSON.stringify(`${content} Not at all.`));
  await expect(verifyReview(reworded, trust)).rejects.toMatchObject({ code: 'not_as_proven' });
  expect((await fetchProof(token)).status, 'nothing of it is public any more').toBe(409);
  expect((await fetchProof(await createToken(service, 'stranger'))).status).toBe(404);
  const saved = await scratch.write('review.json', file);
  const command = ['verify', saved, '--key', key.verifierKey];
  expect(succeeded(await runCli(command, {}, 60_000, CLIENT))).toContain(content);
});

test('an entry comes with what opens its texts, without those that changed after it', async () => {
  const key = 'broker/reworded';
  const describeBroker = (description: string) =>
    importRows(service, 'brokers', [brokerRow('reworded', { description })]);
  const readNewest = async (query = '') => {
    await service.settle();
    const answer = await fetch(`${service.origin}/transparency/v1/entries?keys=${key}${query}`);
    const { data } = (await answer.json()) as { data: { number: number; salts?: Salts }[] };
    return data[0] as (typeof data)[number];
  };
  await describeBroker('Broker for currency pairs.');
  const first = await readNewest();
  expect(Object.keys(first.salts ?? {})).toContain('description');
  await describeBroker('Broker for metals.');
  const { description = '' } = (await readNewest()).salts ?? {};
  expect(commitment(description, 'Broker for metals.')).toBe((await readCommitments(key))['description']);
  const former = await readNewest(`&knownAt=${first.number}`);
  expect(former.number).toBe(first.number);
  expect(Object.keys(former.salts ?? {})).not.toContain('description');
});

test('keys that are none, or too many, are refused', async () => {
  for (const keys of ['', 'license/a', 'review/1, review/2', Array(101).fill('review/1').join()])
    expect((await ask(keys)).status, keys.slice(0, 20)).toBe(400);
});
