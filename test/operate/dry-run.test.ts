import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type FilledService, reviewIds, startFilledService, succeeded } from '../support/filled-service.ts';
import { buildComplaint, buildReview } from '../support/submissions.ts';

let service: FilledService;
beforeAll(async () => {
  service = await startFilledService();
});
afterAll(() => service?.remove());

/** Running processes say there every few seconds that they run. */
const OF_PROCESSES = 'servers';

/** Returns the SHA-256 of each collection, by its bytes in the order of ids. */
const hashCollections = (): Promise<Record<string, string>> =>
  inDatabase(service, async (db) => {
    const names = (await db.listCollections().toArray())
      .map(({ name }) => name)
      .filter((name) => name !== OF_PROCESSES);
    const hashes = names.sort().map(async (name) => {
      const hash = createHash('sha256');
      const documents = db.collection(name).find({}, { raw: true }).sort({ _id: 1 });
      for await (const document of documents) hash.update(document as unknown as Buffer);
      return [name, hash.digest('hex')] as const;
    });
    return Object.fromEntries(await Promise.all(hashes));
  });

/** Returns the SHA-256 of each file of the data folder. */
const hashFiles = async (): Promise<Record<string, string>> => {
  const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hashes = paths.sort().map(async (path) => {
    return [
      path,
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
};

test('commands with --dry-run leave every collection and every file as it was, byte for byte', async () => {
  const run = async (...argv: string[]): Promise<string> => succeeded(await service.cli(...argv));
  const [published = ''] = await reviewIds(service, 'published');
  const { id: pending } = await service.client(service.verified).reviews.create(buildReview('beta-trade'));
  const { reference } = await service.client(service.verified).complaints.create(buildComplaint('beta-trade'));
  const [news] = JSON.parse(await run('news', 'list', '--json')) as { id: string }[];
  const [token] = JSON.parse(await run('token', 'list', '--json')) as { id: string }[];
  await run('account', 'kyc', 'carol', 'verified');
  await run('account', 'block', 'carol', '--reason', 'abuse');
  const grant = ['--name', 'Acme News', '--plan', 'media', '--accepted-by', 'contract 17'];
  await run('enterprise', 'grant', 'acme-news', ...grant);
  const source = ['--source', 'https://register.example/'];
  await service.settle();
  const before = { collections: await hashCollections(), files: await hashFiles() };
  expect(Object.keys(before.collections).length).toBeGreaterThan(20);
  expect(Object.keys(before.files).join(' ')).toContain('blocks.ndjson');

  const commands: readonly (readonly string[])[] = [
    ['broker', 'set', 'alpha-markets', 'country=IE', ...source],
    ['broker', 'rename', 'alpha-markets', 'alpha-group'],
    ['broker', 'merge', 'gamma-fx', '--into', 'alpha-markets'],
    ['regulator', 'set', 'asic', 'name=Other', ...source],
    ['review', 'publish', pending],
    ['review', 'reject', pending, '--reason', 'advertising'],
    ['review', 'remove', published, '--reason', 'insult', '--note', 'It insults a person.'],
    ['review', 'flag', published, '--reason', 'insult'],
    ['complaint', 'screen', reference],
    ['complaint', 'withdraw', reference, '--reason', 'by_author'],
    ['news', 'remove', String(news?.id), '--reason', 'incorrect'],
    ['token', 'create', '--subject', 'dora', '--scope', 'reviews:write'],
    ['token', 'revoke', String(token?.id)],
    ['token', 'rotate', String(token?.id)],
    ['account', 'kyc', 'bob', 'verified', '--provider', 'acme', '--person', '8831'],
    ['account', 'block', 'bob', '--reason', 'abuse'],
    ['account', 'unblock', 'carol'],
    ['account', 'erase', 'alice', '--reason', 'requested'],
    ['admin', 'account', 'replay-blocks'],
    ['enterprise', 'issue-key', 'acme-news'],
    ['enterprise', 'end', 'acme-news', '--at', '30d'],
    ['incident', 'open', '--title', 'Reads fail', '--since', '5m'],
    ['operator', 'add', 'maria', '--role', 'admin'],
    ['admin', 'seed'],
  ];
  const idle = { code: 0, stdout: 'Nothing would change.\n', stderr: 'Dry run: nothing was changed.\n' };
  expect(await service.cli('admin', 'seed', '--dry-run')).toEqual(idle);
  for (const command of commands) {
    const { code, stderr } = await service.cli(...command, '--dry-run');
    expect(code, `${command.join(' ')}\n${stderr}`).toBe(0);
    expect(await hashCollections(), command.join(' ')).toEqual(before.collections);
  }
  await service.settle();
  expect({ collections: await hashCollections(), files: await hashFiles() }).toEqual(before);
});
