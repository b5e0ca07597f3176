import { BrokerDetail, METHODOLOGY_VERSION, recomputeScore } from '@broker-transparency/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { getJson, importRows, succeeded } from '../support/filled-service.ts';
import { brokerRow } from '../support/records.ts';
import { type Service, startService, until } from '../support/service.ts';

/** Each test starts several processes, and the machine may be slow. */
vi.setConfig({ testTimeout: 120_000 });

const DAY = 86_400_000;
/** The answer of the second one is not stored. */
const SLUGS = ['alpha', 'beta'] as const;
const FORMER = '2026-1';

let service: Service;

/** A time in the middle of the month that was `months` ago. */
const monthsAgo = (months: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
};
const nameOf = (time: Date): string => time.toISOString().slice(0, 7);

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

const RECENT = monthsAgo(2);
const FIRST = monthsAgo(36);
const TOO_OLD = monthsAgo(37);

beforeAll(async () => {
  service = await startService({ LOG_LEVEL: 'error' });
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
  succeeded(await service.cli('score', 'refresh'));
}, 120_000);
afterAll(() => service?.remove());

const detailOf = async (slug: string) => BrokerDetail.parse(await getJson(service, `/brokers/${slug}`));
const inputsOf = ({ score }: BrokerDetail) => score.components.find(({ key }) => key === 'complaints')?.inputs;
const showsVersion = (slug: string, version: string) =>
  until(`${slug} has a score by ${version}`, 5000, async () => {
    const detail = await detailOf(slug);
    return detail.score.methodologyVersion === version && detail;
  });

/** What every answer has by the version in force. */
const expectCurrent = (detail: BrokerDetail): void => {
  expect(detail.complaintsByMonth).toEqual([
    { month: nameOf(TOO_OLD), closed: 1, resolved: 0, timely: 1 },
    { month: nameOf(FIRST), closed: 1, resolved: 1, timely: 1 },
    { month: nameOf(RECENT), closed: 2, resolved: 1, timely: 2 },
  ]);
  expect(inputsOf(detail)).toEqual({ closed: 3, resolved: 2, timely: 3 });
  expect(recomputeScore(detail)).toEqual(detail.score);
};

/** Recreates the documents and answers of the release before, which scored by 2026-1 and published no months. */
const age = (): Promise<void> =>
  inDatabase(service, async (db) => {
    for (const slug of SLUGS) {
      const { complaintsByMonth, ...detail } = await detailOf(slug);
      const score = recomputeScore({ ...detail, score: { ...detail.score, methodologyVersion: FORMER } });
      const json = Buffer.from(JSON.stringify({ ...detail, score }));
      const filter = { _id: slug as never };
      if (slug === 'alpha') await db.collection('brokerDetails').updateOne(filter, { $set: { json } });
      else for (const name of ['brokerDetails', 'brokerSummaries']) await db.collection(name).deleteOne(filter);
      await db.collection('brokers').updateOne(filter, { $set: { score }, $unset: { complaintsByMonth: '' } });
    }
  });

test('counts complaints by month, and scores those of the month and the 36 before', async () => {
  for (const slug of SLUGS) expectCurrent(await showsVersion(slug, METHODOLOGY_VERSION));
});

test('serves the scores of the release before until the next round, and each can be recomputed', async () => {
  await age();
  for (const slug of SLUGS) {
    const detail = await showsVersion(slug, FORMER);
    expect(detail).not.toHaveProperty('complaintsByMonth');
    expect(inputsOf(detail)).toEqual({ closed: 3, resolved: 2, timely: 3 });
    expect(recomputeScore(detail)).toEqual(detail.score);
    expect(succeeded(await service.cli('score', slug))).toContain(`methodology ${FORMER}`);
  }
  expect((await getJson(service, '/brokers'))['data']).toHaveLength(SLUGS.length);
  const check = await service.cli('rebuild', '--check', '--json');
  expect(JSON.parse(check.stdout)).toMatchObject({ different: [...SLUGS] });

  succeeded(await service.cli('score', 'refresh'));
  for (const slug of SLUGS) expectCurrent(await showsVersion(slug, METHODOLOGY_VERSION));
  succeeded(await service.cli('rebuild', '--check'));
});
