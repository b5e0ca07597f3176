import { fileURLToPath } from 'node:url';
import { BrokerDetail, METHODOLOGY_VERSION, recomputeScore } from '@broker-transparency/contract';
import type { Methodology } from '@broker-transparency/contract/score';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, importRows, succeeded } from '../support/filled-service.ts';
import { LATER_RELEASE, runLaterClient } from '../support/later-release.ts';
import { runCli, type Service, startProcess } from '../support/process.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import * as second from '../support/second-methodology.ts';
import { type LocalService, startService } from '../support/service.ts';
import { newLogKey, type TestKey, untilAllSigned } from '../support/signed-log.ts';
import { until } from '../support/until.ts';

/** Each test starts several processes, and the machine may be slow. */
const DAY = 86_400_000;
/** The later release finds no stored answer of the second one. */
const SLUGS = ['alpha', 'beta'] as const;

let first: LocalService;
let service: Service;
let scratch: Scratch;
let key: TestKey;
/** The command of the client of this release. */
const CLIENT = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));

/** A time in the middle of the month that was `months` ago. */
const subtractMonths = (months: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
};
const formatMonth = (time: Date): string => time.toISOString().slice(0, 7);

/** A complaint of a verified person that was answered within three days. */
const complaint = (broker: string, number: number, closedAt: Date, status = 'resolved') => ({
  _id: `C-${broker}-${number}`,
  broker,
  accountId: 'nobody',
  kycVerified: true,
  status,
  category: 'other',
  title: 'One of many',
  content: 'It took too long, and nobody answered.',
  consentToForward: true,
  createdAt: new Date(closedAt.getTime() - 9 * DAY),
  forwardedAt: new Date(closedAt.getTime() - 8 * DAY),
  respondedAt: new Date(closedAt.getTime() - 5 * DAY),
  closedAt,
});

const RECENT = subtractMonths(2);
const FIRST = subtractMonths(36);
const TOO_OLD = subtractMonths(37);

beforeAll(async () => {
  scratch = await createScratch();
  key = await newLogKey(scratch, 'log.key');
  first = await startService({ LOG_LEVEL: 'error', LOG_KEY: key.file });
  service = first;
  await importRows(
    service,
    'brokers',
    SLUGS.map((slug) => brokerRow(slug)),
  );
  const rows = SLUGS.flatMap((slug) => [
    complaint(slug, 1, RECENT),
    complaint(slug, 2, RECENT, 'unresolved'),
    complaint(slug, 3, FIRST),
    complaint(slug, 4, TOO_OLD, 'unresolved'),
  ]);
  await inDatabase(service, (db) => db.collection('complaints').insertMany(rows as never[]));
  succeeded(await service.cli('admin', 'score', 'refresh'));
  await first.settle();
});
afterAll(async () => {
  await service?.remove();
  await Promise.all([first?.remove(), scratch?.remove()]);
});

const readDetail = async (slug: string) => BrokerDetail.parse(await getJson(service, `/brokers/${slug}`));
const findInputs = ({ score }: BrokerDetail) => score.components.find(({ key }) => key === 'complaints')?.inputs;
const showsVersion = (slug: string, version: string) =>
  until(`${slug} has a score by ${version}`, 5000, async () => {
    const detail = await readDetail(slug);
    return detail.score.methodologyVersion === version && detail;
  });

const scoreWith = ({ score, countComplaints }: Methodology, detail: BrokerDetail) => {
  const { computedAt } = detail.score;
  return score({ ...detail, complaints: countComplaints(detail.complaintsByMonth, new Date(computedAt)) }, computedAt);
};

/** Fields that every answer has by the version in force. */
const expectCurrent = (detail: BrokerDetail): void => {
  expect(detail.complaintsByMonth).toEqual([
    { month: formatMonth(TOO_OLD), closed: 1, resolved: 0, timely: 1 },
    { month: formatMonth(FIRST), closed: 1, resolved: 1, timely: 1 },
    { month: formatMonth(RECENT), closed: 2, resolved: 1, timely: 2 },
  ]);
  expect(findInputs(detail)).toEqual({ closed: 3, resolved: 2, timely: 3 });
  expect(recomputeScore(detail)).toEqual(detail.score);
};

test('counts complaints by month, and scores those of the month and the 36 before', async () => {
  for (const slug of SLUGS) {
    const detail = await readDetail(slug);
    expect(detail.score.methodologyVersion).toBe(METHODOLOGY_VERSION);
    expectCurrent(detail);
  }
});

const recordDay = async (days: number): Promise<void> => {
  succeeded(await service.cliWith({ CLOCK: `+${days}d` }, 'admin', 'job', 'run', 'record-day'));
};

describe('a later release with a second version', () => {
  const LATER = second.METHODOLOGY_VERSION;

  beforeAll(async () => {
    await inDatabase(service, async (db) => {
      for (const name of ['brokerDetails', 'brokerSummaries'])
        await db.collection(name).deleteOne({ _id: 'beta' as never });
    });
    await recordDay(1);
    await first.close();
    service = await startProcess({ ...first.data, LOG_LEVEL: 'error', LOG_KEY: key.file }, [], LATER_RELEASE);
    await recordDay(2);
  });

  test('a later release serves the scores of the one before until the next round, all recomputable', async () => {
    for (const slug of SLUGS) {
      expectCurrent(await showsVersion(slug, METHODOLOGY_VERSION));
      const shown = succeeded(await service.cli('score', slug));
      expect(shown).toContain(`methodology ${METHODOLOGY_VERSION}`);
      expect(shown).toContain('Recomputed from the published answer: the same');
    }
    expect((await getJson(service, '/brokers'))['data']).toHaveLength(SLUGS.length);
    const check = await service.cli('admin', 'rebuild', '--check', '--json');
    expect(JSON.parse(check.stdout)).toMatchObject({ different: [...SLUGS] });
  });

  test('a later release adds its version to the record, and its pages say which version replaced which', async () => {
    const entries = (await readRecord(service)).filter(({ kind }) => kind === 'methodology');
    expect(entries.map(({ value }) => value)).toEqual(
      second.METHODOLOGIES.map(({ version, sha256 }) => ({ version, sha256 })),
    );
    const page = async (path: string) => (await fetch(`${service.origin}${path}`)).text();
    expect(await page(`/methodology/${METHODOLOGY_VERSION}`)).toContain(`New scores follow ${LATER}.`);
    expect(await page(`/methodology/${LATER}`)).toContain('This version is in force');
    expect(await page('/methodology')).toContain(`replaced by ${LATER}`);
  });

  test('an auditor finds the days of both versions sound; one of the release before asks for an update', async () => {
    await untilAllSigned(service);
    const url = `${service.origin}/transparency/v1/log/a`;
    const command = ['audit', url, '--key', key.verifierKey, '--sample', '2', '--json'];
    const later = await runLaterClient(...command);
    expect(JSON.parse(later.stdout)).toMatchObject({
      sound: true,
      days: 2,
      live: { answers: { broker: 2 } },
      findings: [],
    });
    const before = JSON.parse((await runCli(command, {}, 60_000, CLIENT)).stdout);
    expect(before).toMatchObject({ sound: false, days: 2 });
    expect(before.findings[0].message).toMatch(
      new RegExp(`names methodology ${LATER}, which this package does not know: update it$`),
    );
  });

  test('a later release scores by its version from the next round on; the one before refuses such answers', async () => {
    succeeded(await service.cli('admin', 'score', 'refresh'));
    for (const slug of SLUGS) {
      const detail = await showsVersion(slug, LATER);
      expect(findInputs(detail)).toEqual({ closed: 0, resolved: 0, timely: 0 });
      expect(scoreWith(second.METHODOLOGIES.at(-1) as Methodology, detail)).toEqual(detail.score);
      expect(() => recomputeScore(detail)).toThrow(`no methodology ${LATER} here, only ${METHODOLOGY_VERSION}`);
      expect(succeeded(await service.cli('score', slug))).toContain('Recomputed from the published answer: the same');
    }
    succeeded(await service.cli('admin', 'rebuild', '--check'));
  });
});
