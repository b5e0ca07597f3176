import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { runCli, type Service, startService, until } from '../support/service.ts';
import { allSigned } from '../support/signed-log.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const client = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));
const ORIGIN = 'log.example/transparency/v1/log/a';

let service: Service;
let scratch: Scratch;
let key: string;

/** Runs the auditor as anybody does: it knows the address of the log and of the API, and the key. */
const audit = async (...options: string[]) => {
  const url = `${service.origin}/transparency/v1/log/a`;
  const args = ['audit', url, '--key', key, '--base-url', service.baseUrl, '--json', ...options];
  const { code, stdout, stderr } = await runCli(args, {}, 100_000, client);
  if (code > 1) throw new Error(stderr);
  return { code, ...(JSON.parse(stdout) as Found) };
};
interface Found {
  readonly sound: boolean;
  readonly entries: number;
  readonly days: number;
  readonly live: number;
  readonly checkpoint: string;
  readonly findings: readonly { readonly number?: number; readonly message: string }[];
}

/** Waits until a checkpoint covers everything that is recorded. */
const signed = async (): Promise<number> => (await allSigned(service)).size;

/** Audits what `change` makes of the database, and takes it back. */
const auditAfter = async (
  change: (db: Db) => Promise<unknown>,
  undo: (db: Db) => Promise<unknown>,
  ...options: string[]
) => {
  await inDatabase(service, change);
  try {
    return await audit('--sample', '0', ...options);
  } finally {
    await inDatabase(service, undo);
  }
};

let size: number;
beforeAll(async () => {
  scratch = await createScratch();
  const file = `${scratch.path}/log.key`;
  key = succeeded(await runCli(['log', 'new-key', ORIGIN, file], {})).trim();
  service = await startService({ LOG_KEY: file, PUBLIC_RATE_LIMIT: '100000' }, ['--demo']);
  for (const clock of ['+1d', '+3d']) succeeded(await service.cliWith({ CLOCK: clock }, 'job', 'run', 'record-day'));
  size = await signed();
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

describe('the auditor', () => {
  test('finds the demo sound: its entries, the scores of each day, and what the API answers', async () => {
    const { code, sound, entries, days, live, findings } = await audit('--sample', '5');
    expect(findings).toEqual([]);
    expect({ code, sound, entries, days, live }).toEqual({ code: 0, sound: true, entries: size, days: 3, live: 5 });
  });

  test('names an entry whose value was changed', async () => {
    const entry = (value: object) => (db: Db) =>
      db.collection('recordEntries').updateOne({ number: 700 }, { $set: value });
    const before = await inDatabase(service, (db) => db.collection('recordEntries').findOne({ number: 700 }));
    const { code, findings } = await auditAfter(
      entry({ value: '{"changed":true}' }),
      entry({ value: before?.['value'] }),
    );
    expect(code).toBe(1);
    expect(findings[0]).toMatchObject({
      number: 700,
      message: expect.stringContaining('not the one that the log signed'),
    });
  });

  test('names an entry that was taken away', async () => {
    const entries = (db: Db) => db.collection('recordEntries');
    const removed = await inDatabase(service, (db) => entries(db).findOne({ number: 300 }));
    const { findings } = await auditAfter(
      (db) => entries(db).deleteOne({ number: 300 }),
      (db) => entries(db).insertOne(removed as never),
    );
    expect(findings[0]?.message).toContain('300');
  });

  test('names a fact that the API publishes and the log does not know', async () => {
    const slug = 'alpha-markets';
    const status = (value: string) => async (db: Db) => {
      await db.collection('brokerProfiles').updateOne({ _id: slug as never }, { $set: { status: value } });
      await db.collection('due').insertOne({ kind: 'broker', key: slug });
      const answer = async () => (await fetch(`${service.baseUrl}/brokers/${slug}`)).text();
      await until('it is published', 20_000, async () => (await answer()).includes(`"status":"${value}"`));
    };
    await inDatabase(service, status('suspected_clone'));
    try {
      const { findings } = await audit('--sample', '300');
      expect(findings.map(({ message }) => message)).toEqual([
        `the API says something else of ${slug} than the first ${size} entries: status`,
      ]);
    } finally {
      await inDatabase(service, status('operating'));
    }
  });

  test('names a log that is shorter than the one that somebody saw', async () => {
    const kept = `${scratch.path}/kept`;
    const { checkpoint: text } = await audit('--sample', '0');
    await scratch.write('kept', text);
    expect((await audit('--sample', '0', '--since', kept)).sound).toBe(true);
    const head = { _id: 'checkpoint' as never };
    const stored = await inDatabase(service, (db) => db.collection('logHeads').findOne(head));
    const { findings } = await auditAfter(
      async (db) => {
        await db.collection('logHeads').replaceOne(head, { ...stored, ...(await earlier()) });
      },
      (db) => db.collection('logHeads').replaceOne(head, stored as never),
      '--since',
      kept,
    );
    expect(findings[0]?.message).toMatch(/^the log had \d+ entries, and has 1 now$/);
  });

  test('refuses a log that another key signed', async () => {
    const other = `${scratch.path}/other.key`;
    const wrong = succeeded(await runCli(['log', 'new-key', ORIGIN, other], {})).trim();
    const args = ['audit', `${service.origin}/transparency/v1/log/a`, '--key', wrong, '--base-url', service.baseUrl];
    const { code, stdout } = await runCli(args, {}, 60_000, client);
    expect(code).toBe(1);
    expect(stdout).toContain('NOT SOUND');
  });
});

/** A checkpoint of the first entry, signed by the log's own key, as after a restore of an old backup. */
const earlier = async (): Promise<object> => {
  const { signNote, formatCheckpoint, leafInput } = await import('@broker-transparency/contract/log');
  const { createHash, createPrivateKey, sign } = await import('node:crypto');
  const [, , name = '', id = '', ...encoded] = (await readFile(`${scratch.path}/log.key`, 'utf8')).trim().split('+');
  const seed = Buffer.from(encoded.join('+'), 'base64').subarray(1);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const bundle = await (await fetch(`${service.origin}/transparency/v1/log/a/tile/entries/000.p/1`)).arrayBuffer();
  const root = createHash('sha256')
    .update(leafInput(new Uint8Array(bundle).subarray(2)))
    .digest();
  const signer = { name, keyId: Number.parseInt(id, 16), sign: (text: Uint8Array) => sign(null, text, privateKey) };
  return { size: 1, text: signNote(formatCheckpoint({ origin: name, size: 1, root, extensions: [] }), [signer]) };
};
