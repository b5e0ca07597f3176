import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import {
  createToken,
  type FilledService,
  getJson,
  post,
  startFilledService,
  succeeded,
} from '../support/filled-service.ts';
import { type CliResult, runCli } from '../support/process.ts';
import { complaintBody, reviewBody } from '../support/records.ts';
import { readAudit } from '../support/trail.ts';

/** Each test starts many processes, and the machine may be slow. */
let service: FilledService;
let scratch: Scratch;

beforeAll(async () => {
  [service, scratch] = await Promise.all([startFilledService({ LOG_LEVEL: 'error' }), createScratch()]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const expectRefused = ({ code, stdout, stderr }: CliResult, message: string | RegExp): void => {
  expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).toMatch(message);
};

const json = async <T>(...args: string[]): Promise<T> => JSON.parse(succeeded(await service.cli(...args, '--json')));

test('an old Node gets one line with the version that is needed', async () => {
  const old = 'Object.defineProperty(process, "versions", { value: { node: "20.19.0" } })';
  const { code, stderr } = await runCli(['--version'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}`,
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'broker-rating needs Node 22.18 or later; this is 20.19.0.\n' });
});

interface ListedRow {
  readonly [name: string]: unknown;
  readonly id: string;
}

const submitReview = async (token: string, broker: string): Promise<string> => {
  const response = await post(service, '/reviews', token, reviewBody(broker));
  expect(response.status).toBe(201);
  return ((await response.json()) as ListedRow).id;
};

describe('token', () => {
  test('create prints the token once: alone, as JSON, or with what to do next', async () => {
    const args = ['token', 'create', '--subject', 'tok', '--scope', 'reviews:write'];
    const quiet = await service.cli(...args, '--quiet');
    const asJson = await service.cli(...args, '--json');
    const plain = await service.cli(...args, '--label', 'laptop', '--expires', '12h');
    expect(succeeded(quiet)).toMatch(/^btr_[\w-]{51}\n$/);
    const made = JSON.parse(succeeded(asJson));
    expect(made).toMatchObject({ subject: 'tok', scopes: ['reviews:write'], token: expect.stringMatching(/^btr_/) });
    expect(succeeded(plain)).toMatch(/^btr_\S+\n[\s\S]*token revoke [0-9a-f]+\n$/);

    const rows = await json<ListedRow[]>('token', 'list', '--subject', 'tok');
    expect(rows).toHaveLength(3);
    expect(rows.map(({ label }) => label).sort()).toEqual(['laptop', undefined, undefined].sort());
    const hours = (Date.parse(String(rows.find(({ label }) => label)?.['expiresAt'])) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    const shown = JSON.stringify(rows) + succeeded(await service.cli('token', 'list'));
    const stored = await inDatabase(service, (db) => db.collection('tokens').find().toArray());
    for (const secret of [made.token, quiet.stdout.trim(), ...stored.map(({ _id }) => String(_id))])
      expect(shown).not.toContain(secret);
    expect(JSON.stringify(stored)).not.toContain('btr_');
  });

  test('takes several scopes, repeated or joined', async () => {
    const create = (...scopes: string[]) =>
      json<ListedRow>('token', 'create', '--subject', 'scopes', ...scopes.flatMap((scope) => ['--scope', scope]));
    const both = ['reviews:write', 'complaints:write'];
    expect((await create('reviews:write,complaints:write'))['scopes']).toEqual(both);
    expect((await create('reviews:write', 'complaints:write', 'reviews:write'))['scopes']).toEqual(both);
  });

  test('revoke ends it at once, and only once', async () => {
    const token = await createToken(service, 'revoked');
    const [row] = await json<ListedRow[]>('token', 'list', '--subject', 'revoked');
    const status = async () => (await post(service, '/complaints', token, {})).status;
    expect(await status()).toBe(400);
    expect(succeeded(await service.cli('token', 'revoke', row?.id as string, '--actor', 'carol'))).toMatch(
      /is revoked/,
    );
    expect(await status()).toBe(401);
    expectRefused(
      await service.cli('token', 'revoke', row?.id as string),
      /No live token has the id .*See: token list/,
    );
    expectRefused(await service.cli('token', 'revoke', 'nonsense'), 'No live token has the id "nonsense"');
    const entries = await readAudit(service, row?.id as string);
    expect(entries).toMatchObject([
      { action: 'token.created', actor: { type: 'operator', name: 'system' } },
      { action: 'token.revoked', actor: { type: 'operator', name: 'carol' } },
    ]);
  });
});

test('account kyc allows a person to write reviews, and stops them again', async () => {
  const token = await createToken(service, 'kyc', { kyc: 'none' });
  const status = async () => (await post(service, '/reviews', token, {})).status;
  expect(await status()).toBe(403);
  const done = await service.cli(
    'account',
    'kyc',
    'kyc',
    'verified',
    '--provider',
    'acme',
    '--person',
    'P-77',
    '--expires',
    '365d',
  );
  expect(succeeded(done)).toBe('The identity verification of kyc is verified.\n');
  expect(await status()).toBe(400);
  for (const state of ['pending', 'rejected', 'expired', 'none']) {
    succeeded(await service.cli('account', 'kyc', 'kyc', state));
    expect(await status(), state).toBe(403);
  }
  const everything = await inDatabase(service, (db) => db.collection('accounts').findOne({ subject: 'kyc' }));
  expect(JSON.stringify(everything)).not.toContain('P-77');
  const changes = (await readAudit(service, String(everything?._id))).filter(({ action }) => action === 'account.kyc');
  expect(changes.map(({ after }) => after.status)).toEqual([
    'none',
    'verified',
    'pending',
    'rejected',
    'expired',
    'none',
  ]);
  const expiresAt = changes[1]?.['after'].expiresAt;
  expect(changes[1]).toMatchObject({
    after: { status: 'verified', expiresAt: expect.stringMatching(/Z$/), personChanged: true },
  });
  expect(changes[2]).toMatchObject({ before: { status: 'verified', expiresAt }, after: { status: 'pending' } });
});

describe('review', () => {
  test('list, publish and remove change the counts', async () => {
    const token = await createToken(service, 'reviewer');
    const id = await submitReview(token, 'beta-trade');
    const pending = await json<ListedRow[]>('review', 'list');
    expect(pending.find((row) => row.id === id)).toMatchObject({ broker: 'beta-trade', rating: 4.25, language: 'en' });
    expect(succeeded(await service.cli('review', 'list'))).toContain(id);
    expect(succeeded(await service.cli('review', 'publish', id))).toBe(`Review ${id} of beta-trade is published.\n`);
    const count = async () =>
      ((await getJson(service, '/brokers/beta-trade')) as { ratingSummary: { count: number } }).ratingSummary.count;
    await service.settle();
    expect(await count()).toBe(1);
    succeeded(await service.cli('review', 'remove', id, '--reason', 'advertising', '--actor', 'mod'));
    await service.settle();
    expect(await count()).toBe(0);
    expect(await getJson(service, '/reviews?broker=beta-trade')).toMatchObject({ data: [] });
    expect((await readAudit(service, id)).at(-1)).toMatchObject({
      action: 'review.removed',
      actor: { name: 'mod' },
      reason: 'advertising',
      before: { status: 'published' },
      after: { status: 'removed' },
    });
  });

  test('an impossible move changes nothing and says why', async () => {
    const token = await createToken(service, 'mover');
    const [first, second] = [await submitReview(token, 'alpha-markets'), await submitReview(token, 'gamma-fx')];
    succeeded(await service.cli('review', 'reject', first, '--reason', 'off_topic'));
    succeeded(await service.cli('review', 'publish', second));
    const look = () =>
      inDatabase(service, async (db) => ({
        reviews: await db.collection('reviews').find().sort({ _id: 1 }).toArray(),
        months: await db.collection('ratingMonths').find().sort({ _id: 1 }).toArray(),
        audit: await db.collection('audit').countDocuments({ 'subject.kind': 'review' }),
      }));
    const before = await look();
    const moves: readonly [args: readonly string[], message: string][] = [
      [['publish', first], `Review ${first} is rejected and cannot become published. That state is final.`],
      [
        ['withdraw', first, '--reason', 'author_request'],
        `Review ${first} is rejected and cannot become withdrawn. That state is final.`,
      ],
      [
        ['publish', second],
        `Review ${second} is published and cannot become published. From there it can become removed, withdrawn, withheld.`,
      ],
      [['reject', second, '--reason', 'off_topic'], `Review ${second} is published and cannot become rejected.`],
      [['publish', '000000000000000000000000'], 'No review has the id "000000000000000000000000".'],
      [['publish', 'nonsense'], 'No review has the id "nonsense".'],
    ];
    for (const [args, message] of moves) expectRefused(await service.cli('review', ...args), message);
    expect(await look()).toEqual(before);
  });
});

test('complaint list filters by state and by broker', async () => {
  const token = await createToken(service, 'complainer', { kyc: 'none' });
  const response = await post(service, '/complaints', token, complaintBody('gamma-fx'));
  const { reference } = (await response.json()) as { reference: string };
  const references = async (...args: string[]) =>
    (await json<{ reference: string }[]>('complaint', 'list', ...args)).map((row) => row.reference);
  expect(await references()).toContain(reference);
  expect(await references('--status', 'received', '--broker', 'gamma-fx')).toEqual([reference]);
  expect(await references('--status', 'resolved')).toEqual([]);
  expect(await references('--broker', 'alpha-markets')).toEqual([]);
  expect(succeeded(await service.cli('complaint', 'list'))).toMatch(
    new RegExp(`${reference} +gamma-fx +withdrawal +received`),
  );
});

test('news lists and removes items', async () => {
  const [row, ...others] = await json<ListedRow[]>('news', 'list');
  expect(others.length).toBeGreaterThan(0);
  expect(await json<ListedRow[]>('news', 'list', '--limit', '1')).toHaveLength(1);
  succeeded(await service.cli('news', 'remove', row?.id as string, '--reason', 'rights', '--actor', 'editor'));
  const shown = (await getJson(service, '/news')) as { data: ListedRow[] };
  expect(shown.data.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
  expectRefused(
    await service.cli('news', 'remove', row?.id as string, '--reason', 'duplicate'),
    /There is no news item .*See: news list/,
  );
  expect(await readAudit(service, row?.id as string)).toMatchObject([{}, { action: 'news.removed', reason: 'rights' }]);
});

test('score breaks a score down and recomputes it', async () => {
  const plain = succeeded(await service.cli('score', 'alpha-markets'));
  for (const word of ['regulation', 'userRating', 'complaints', 'transparency', 'longevity', 'the same'])
    expect(plain).toContain(word);
  const { score } = (await getJson(service, '/brokers/alpha-markets')) as { score: object };
  expect(await json('score', 'alpha-markets')).toEqual({ ...score, recomputed: true });
  expectRefused(await service.cli('score', 'none'), 'No broker has the slug "none"');
});

test('seed keeps a corrected regulator, and says so, until the correction is taken back', async () => {
  await inDatabase(service, (db) => db.collection<{ _id: string }>('regulators').deleteOne({ _id: 'cysec' }));
  succeeded(await service.cli('import', 'regulators', await scratch.write('one.csv', 'code,tier\nasic,2\n')));
  const kept = 'Kept, since editors say something else: asic. What: fact show regulator CODE.';
  expect(succeeded(await service.cli('admin', 'seed'))).toContain(`regulators are as in the reference data.\n${kept} `);
  expect(await getJson(service, '/regulators/asic')).toMatchObject({ tier: 2 });
  expect(await getJson(service, '/regulators/cysec')).toMatchObject({ tier: 1 });
  succeeded(await service.cli('regulator', 'set', 'asic', 'tier=null', '--reason', 'The reference data is right.'));
  expect(succeeded(await service.cli('admin', 'seed'))).not.toContain('Kept');
  expect(await getJson(service, '/regulators/asic')).toMatchObject({ tier: 1 });
});

test('wrong usage exits with 2, says what is wrong, and touches no database', async () => {
  const lines: readonly [line: string, message: RegExp][] = [
    ['', /Usage: broker-rating/],
    ['nonsense', /unknown command 'nonsense'/],
    ['tokn list', /Did you mean token\?/],
    ['token lst', /unknown command 'lst'/],
    ['token create', /required option '--subject/],
    ['token create --subject a', /required option '--scope/],
    ['token create --subject a --scope all', /"all" is none of reviews:write, complaints:write/],
    ['token create --subject a --scope reviews:write --expires 2001-01-01', /future/],
    ['token create --subject a --scope reviews:write --kyc maybe', /Allowed choices are none, pending, verified/],
    ['token list --jsn', /Did you mean --json\?/],
    ['token revoke', /missing required argument 'id'/],
    ['token revoke a b', /too many arguments/],
    ['account kyc alice maybe', /Allowed choices are none, pending/],
    ['review list --status gone', /Allowed choices are pending, published/],
    ['review list --limit 0', /whole number/],
    ['review reject 0123', /required option '--reason/],
    ['complaint list --status x', /Allowed choices are received/],
    ['news remove x', /required option '--reason/],
    ['import people x.csv', /unknown command 'people'/],
    ['import brokers x --format xml', /Allowed choices are ndjson, jsonl, csv/],
    ['serve now', /too many arguments/],
    ['admin rebuild --fix', /unknown option '--fix'/],
  ];
  const directory = join(scratch.path, 'unused');
  const settings = { DATA_DIR: directory, MONGODB_URL: undefined };
  for (const [line, message] of lines) {
    const args = line.split(' ').filter(Boolean);
    // serve ends its process, whoever else is in it
    const run = args[0] === 'serve' ? runCli(args, settings) : service.cliWith(settings, ...args);
    const { code, stdout, stderr } = await run;
    expect({ code, stdout }, `${line}\n${stderr}`).toEqual({ code: 2, stdout: '' });
    expect(stderr, line).toMatch(message);
  }
  await expect(access(directory)).rejects.toThrow('ENOENT');
});

test('--version prints the version', async () => {
  expect(succeeded(await runCli(['--version'], {}))).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a command with --embedded holds the database for as long as it runs', async () => {
  const env = { DATA_DIR: join(scratch.path, 'alone') };
  const create = (subject: string): Promise<CliResult> =>
    runCli(['token', 'create', '--embedded', '--subject', subject, '--scope', 'reviews:write', '--quiet'], env);
  expect(succeeded(await create('first'))).toMatch(/^btr_/);
  await expect(access(join(env.DATA_DIR, 'mongod.json')), 'the database is stopped again').rejects.toThrow('ENOENT');
  // Each command waits for the one before.
  for (const result of await Promise.all(['a', 'b', 'c'].map(create))) succeeded(result);
  const rows = JSON.parse(succeeded(await runCli(['token', 'list', '--embedded', '--json'], env)));
  expect(rows).toHaveLength(4);
});
