/**
 * `npx -y pnpm corpus record FILE [--data DIR] [--server PATH]`: records every public page with its headers, as a
 * server answers it on the data in DIR. `npx -y pnpm corpus compare BEFORE AFTER`: reports the differences of two such
 * files, and exits with 1 if there are any.
 */
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PROBLEM_CODES } from '@broker-transparency/contract';
import { bin } from '../support/process.ts';
import { compare } from './compare.ts';
import { type Page, parsePages } from './page.ts';
import { record } from './record.ts';
import { report } from './report.ts';

const USAGE = `Usage:
  pnpm corpus record FILE [--data DIR] [--server PATH_TO_main.js]
  pnpm corpus compare BEFORE AFTER
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: join(tmpdir(), 'broker-rating-corpus') },
    server: { type: 'string', default: bin },
  },
});

/** Problem codes that no page contains. */
const unseen = (pages: readonly Page[]): string[] => {
  const seen = new Set(pages.map(({ body }) => /"code":"(\w+)","requestId"/.exec(body)?.[1]));
  return PROBLEM_CODES.filter((code) => !seen.has(code));
};

const runRecord = async (file: string): Promise<number> => {
  const began = Date.now();
  const pages = await record({ file, data: resolve(values.data), main: resolve(values.server) });
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`${pages.length} pages in ${seconds} s; problems without a page: ${unseen(pages).join(', ')}\n`);
  return 0;
};

const runCompare = async (files: readonly string[]): Promise<number> => {
  const [before, after] = await Promise.all(files.map(async (file) => parsePages(await readFile(file, 'utf8'))));
  const comparison = compare(before as Page[], after as Page[]);
  process.stdout.write(report(comparison));
  return comparison.differences.length > 0 ? 1 : 0;
};

const [command, ...files] = positionals;
if (command === 'record' && files.length === 1) process.exitCode = await runRecord(files[0] as string);
else if (command === 'compare' && files.length === 2) process.exitCode = await runCompare(files);
else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}
