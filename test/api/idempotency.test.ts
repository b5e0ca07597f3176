import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { moderate } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const BROKERS = [
  'same',
  'other-body',
  'at-once',
  'two-keys',
  'fixed',
  'quoted',
  'cross',
  'order',
  'state',
  'live',
  'lone',
];

let service: LocalService;
let alice: string;
let carol: string;

beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    BROKERS.map((slug) => brokerRow(slug)),
  );
  [alice, carol] = await Promise.all([createToken(service, 'alice'), createToken(service, 'carol')]);
});
afterAll(() => service?.remove());

const BODIES = { '/reviews': reviewBody, '/complaints': complaintBody };
type Path = keyof typeof BODIES;
const PATHS = Object.keys(BODIES) as Path[];

const post = (path: Path, key: string | undefined, body: unknown, token = alice): Promise<HttpResponse> =>
  send(`${service.baseUrl}${path}`, { token, body, headers: key === undefined ? {} : { 'Idempotency-Key': key } });

const isReplay = ({ headers }: HttpResponse) => headers['idempotent-replayed'] === 'true';
const readName = (answer: HttpResponse) => answer.json()['id'] ?? answer.json()['reference'];

/** Number of stored reviews or complaints of a broker. */
const stored = async (path: Path, broker: string): Promise<number> => {
  const kind = path === '/reviews' ? ['review', 'list', '--status', 'pending'] : ['complaint', 'list'];
  const rows = JSON.parse(succeeded(await service.cli(...kind, '--json', '--limit', '1000')));
  return rows.filter((row: { broker: string }) => row.broker === broker).length;
};

describe.each(PATHS)('POST %s', (path) => {
  const createBody = BODIES[path];

  test('answers the same key and body with the same answer, marked as a replay', async () => {
    const first = await post(path, 'same-1', createBody('same'));
    const again = [await post(path, 'same-1', createBody('same')), await post(path, 'same-1', createBody('same'))];
    expect(first.status, first.text).toBe(201);
    expect(isReplay(first)).toBe(false);
    for (const answer of again) {
      expect(answer.status).toBe(201);
      expect(isReplay(answer)).toBe(true);
      expect(answer.json()).toEqual(first.json());
      expect(answer.headers['cache-control']).toBe('no-store');
    }
    expect(await stored(path, 'same')).toBe(1);
  });

  test('refuses the same key with another body, and keeps the first answer', async () => {
    const first = await post(path, 'other-1', createBody('other-body'));
    const other = await post(path, 'other-1', createBody('other-body', { title: 'Another title' }));
    expect(expectProblem(other).code).toBe('idempotency_key_reused');
    expect((await post(path, 'other-1', createBody('other-body'))).json()).toEqual(first.json());
    expect(await stored(path, 'other-body')).toBe(1);
  });

  test('treats bodies that differ only in the order and blanks of their JSON as equal', async () => {
    const first = await post(path, 'order-1', createBody('order'));
    const { title, ...others } = createBody('order');
    const again = await post(path, 'order-1', JSON.stringify({ ...others, title: `  ${title} ` }, null, 3));
    expect(isReplay(again)).toBe(true);
    expect(again.json()).toEqual(first.json());
  });

  test('stores 20 requests sent at once with one key exactly once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, 'once-1', createBody('at-once'))));
    const good = answers.filter(({ status }) => status === 201);
    expect(good.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(new Set(good.map(readName)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(expectProblem(answer).code).toBe('idempotency_in_progress');
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    await until('the key is free for a replay', 1000, async () =>
      isReplay(await post(path, 'once-1', createBody('at-once'))),
    );
    expect(await stored(path, 'at-once')).toBe(1);
  });

  test('keeps the keys of different accounts apart', async () => {
    const [first, other] = [
      await post(path, 'two-keys-1', createBody('two-keys')),
      await post(path, 'two-keys-1', createBody('two-keys', { title: 'A title of carol' }), carol),
    ];
    expect([first.status, other.status]).toEqual([201, 201]);
    expect(isReplay(other)).toBe(false);
    expect(readName(other)).not.toBe(readName(first));
  });

  test('stores no refused request: once corrected, it may use the key again', async () => {
    for (const [wrong, status] of [
      [createBody('fixed', { title: '' }), 400],
      [createBody('nobody'), 404],
    ] as const)
      expect((await post(path, 'fixed-1', wrong)).status).toBe(status);
    expect((await post(path, 'fixed-1', '{"broker"')).status).toBe(400);
    const good = await post(path, 'fixed-1', createBody('fixed'));
    expect([good.status, isReplay(good)]).toEqual([201, false]);
  });

  test('treats a quoted key as equal to the bare one, up to 255 characters', async () => {
    for (const [n, key] of ['7b0c', 'k'.repeat(255), 'semi;colon,comma=!~'].entries()) {
      const body = path === '/reviews' ? createBody('quoted') : createBody('quoted', { title: `Number ${n}` });
      const bare = await post(path, key, body);
      if (path === '/reviews' && n > 0) expect(expectProblem(bare).code).toBe('review_exists');
      else {
        const quoted = await post(path, `"${key}"`, body);
        expect([bare.status, quoted.status], quoted.text).toEqual([201, 201]);
        expect(isReplay(quoted)).toBe(true);
        expect(readName(quoted)).toBe(readName(bare));
      }
    }
  });

  test.each(['', '""', 'k'.repeat(256), `"${'k'.repeat(256)}"`, 'two words', 'caf\u00e9', 'tab\there'])(
    'refuses the key %j',
    async (key) => {
      const problem = expectProblem(await post(path, key, createBody('lone')));
      expect(problem.code).toBe('invalid_request');
      expect(problem.errors?.[0]?.parameter?.toLowerCase()).toBe('idempotency-key');
    },
  );

  test('refuses a key that is sent twice', async () => {
    const headers = { 'Idempotency-Key': ['one', 'two'] };
    const answer = await send(`${service.baseUrl}${path}`, { token: alice, body: createBody('lone'), headers });
    expect(expectProblem(answer).code).toBe('invalid_request');
  });
});

test('keeps the keys of different routes apart', async () => {
  const answers = [
    await post('/reviews', 'cross-1', reviewBody('cross')),
    await post('/complaints', 'cross-1', complaintBody('cross')),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers.map(isReplay)).toEqual([false, false]);
});

test('replays the original answer, even after the review has changed', async () => {
  const first = await post('/reviews', 'state-1', reviewBody('state'));
  await moderate(service, 'publish', String(readName(first)));
  const again = await post('/reviews', 'state-1', reviewBody('state'));
  expect([again.status, again.json()]).toEqual([201, first.json()]);
});

test('stores one of 20 reviews that one person sends at once with different keys, and refuses the rest', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post('/reviews', `live-${n}`, reviewBody('live'))),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(expectProblem(answer).code).toBe('review_exists');
});

test('the client sends a new key with each call, or the given one', async () => {
  const client = service.client(carol);
  const body = { ...complaintBody('lone') } as unknown as Parameters<typeof client.complaints.create>[0];
  const answers = [await client.complaints.create(body), await client.complaints.create(body)];
  expect(new Set(answers.map(({ reference }) => reference)).size).toBe(2);
  const given = { idempotencyKey: 'given' };
  expect(await client.complaints.create(body, given)).toEqual(await client.complaints.create(body, given));
});
