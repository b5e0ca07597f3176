import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brokerRow, licenseRow, newsRow } from '../support/records.ts';
import { measureCommand } from './command-usage.ts';

/**
 * Imports brokers, or news, and undoes the import. Measures the time, the processor time of the importing process and
 * of its mongod, and the largest resident set of the former. With `--again`, the same file is imported once more, which
 * changes nothing.
 * `node bench/import.ts [ROWS] [--news] [--dry-run] [--again] [--undo]`
 */
const rows = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 100_000);
const withUndo = process.argv.includes('--undo');
const withAgain = process.argv.includes('--again');
const dryOnly = process.argv.includes('--dry-run');

const kind = process.argv.includes('--news') ? 'news' : 'brokers';

const brokerLine = (n: number): string => {
  const slug = `bench-${n}`;
  const licenses = ['fca', 'cysec'].map((code) => licenseRow(`${slug} Ltd`, code, { referenceNumber: `${n}` }));
  const provenance = [{ fact: 'website', sourceUrl: `https://${slug}.example/legal`, lastVerifiedAt: null }];
  return `${JSON.stringify(brokerRow(slug, { licenses, provenance }))}\n`;
};

const lines = function* () {
  for (let n = 0; n < rows; n++) yield kind === 'news' ? `${JSON.stringify(newsRow(n))}\n` : brokerLine(n);
};

const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
const file = join(folder, `${kind}.ndjson`);
const usageFile = join(folder, 'usage');
const { PATH, HOME, XDG_CACHE_HOME, MONGOD_BINARY, MONGODB_URL } = process.env;
const env = { PATH, HOME, XDG_CACHE_HOME, MONGOD_BINARY, MONGODB_URL, DATA_DIR: folder };

const measure = async (what: string, ...args: string[]): Promise<string> => {
  const { out, seconds, rss, own, children } = await measureCommand(args, env, usageFile);
  process.stdout.write(
    `${what}: ${rows} ${kind} in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)}/s), ` +
      `processor ${own.toFixed(1)} s + mongod ${children.toFixed(1)} s, RSS at most ${(rss / 1024 / 1024).toFixed(0)} MB\n`,
  );
  return out;
};

const importAndUndo = async (): Promise<void> => {
  const report = JSON.parse(await measure('import', 'import', kind, file, '--json'));
  if (withAgain) {
    await measure('dry run again', 'import', kind, file, '--dry-run');
    await measure('import again', 'import', kind, file, '--json');
  }
  if (withUndo) await measure('undo', 'import', 'undo', report.run, '--yes', report.run);
};

try {
  await pipeline(lines, createWriteStream(file));
  await measure('dry run', 'import', kind, file, '--dry-run');
  if (!dryOnly) await importAndUndo();
} finally {
  await rm(folder, { recursive: true, force: true });
}
