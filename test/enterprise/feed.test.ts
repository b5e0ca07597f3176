import { type ChangesPage, ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { canonicalJson } from '@broker-transparency/contract/log';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { leafHash, rootOver } from '../support/log-reader.ts';
import { recordOf } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { allSigned, type LogService, startLogService } from '../support/signed-log.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let log: LogService;
let ask: AsCustomer;
let withoutTexts: string;
let reviews: readonly { readonly id: string }[];
beforeAll(async () => {
  log = await startLogService();
  const { service } = log;
  await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta')]);
  reviews = await publishReviews(service, 'alpha', [await createToken(service, 'alice')], { title: 'Quixotic' });
  ask = await grantCustomer(service, 'acme-bank', 'institution');
  const scopes = ['--scope', 'record:read', '--quiet'];
  withoutTexts = succeeded(await service.cli('enterprise', 'issue-key', 'acme-bank', ...scopes)).trim();
  await allSigned(service);
});
afterAll(() => log?.remove());

const pageAt = async (query: string): Promise<ChangesPage> => {
  const answer = await ask(`/changes?${query}`);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
  return answer.json<ChangesPage>();
};

/** Reads the feed to its end, in pages of a size. */
const readAll = async (limit: number): Promise<ChangesPage[]> => {
  const pages: ChangesPage[] = [];
  for (let after = -1; ; ) {
    const page = await pageAt(`limit=${limit}${after < 0 ? '' : `&after=${after}`}`);
    if (page.entries.length === 0) return pages;
    pages.push(page);
    after = page.through;
  }
};

describe('the feed', () => {
  test('has every entry as the record has it, and each page proves itself', async () => {
    const stored = await recordOf(log.service);
    const pages = await readAll(10);
    const entries = pages.flatMap((page) => page.entries);
    expect(entries.map(({ number }) => number)).toEqual(stored.map(({ number }) => number));
    expect(entries.map(({ key, value }) => [key, value])).toEqual(stored.map(({ key, value }) => [key, value]));
    const hashes = entries.map((entry) => leafHash(Buffer.from(canonicalJson(entry))));
    for (const { through, tree } of pages) {
      expect(tree.size).toBe(through + 1);
      expect(rootOver(hashes.slice(0, tree.size)).toString('base64')).toBe(tree.root);
    }
  });
});
