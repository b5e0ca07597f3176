/** Real outages, minute by minute: the results of a prober, and the figures of the month that follow. */

import { createHash, createPublicKey, verify } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { parseVerifierKey } from '@broker-transparency/log';
import {
  burnStates,
  computeStates,
  findOutages,
  type MeasuredDay,
  minuteNumber,
  monthFigures,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
  readDayFile,
} from '@broker-transparency/service-level';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publish } from '../enterprise/publishing.ts';
import { findDatabaseUrl, inDatabase, readEmbedded } from '../support/database.ts';
import { grantCustomerKey } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows } from '../support/filled-service.ts';
import { pauseProcess } from '../support/pause-process.ts';
import { addMinutes } from '../support/prober.ts';
import { EMBEDDED, type ServiceProcess, startProcess } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { untilLogged } from '../support/record.ts';
import { brokerRow } from '../support/records.ts';
import { until } from '../support/until.ts';
import { type Front, startFront } from './front.ts';
import { createProber, listWrong, newProberKey, type Prober } from './probing.ts';

const DATE = '2026-12-05';
const objectives = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;

let scratch: Scratch;
/** Owns the database, and answers nobody. */
let owner: ServiceProcess;
let service: ServiceProcess;
let key: { file: string; verifierKey: string };
let token: string;
const fronts: Front[] = [];

const startAt = async (port: number | string): Promise<ServiceProcess> =>
  startProcess({ MONGODB_URL: await findDatabaseUrl(owner), PORT: String(port) });

beforeAll(async () => {
  scratch = await createScratch();
  owner = await startProcess(EMBEDDED);
  await importRows(owner, 'brokers', [brokerRow('alpha'), brokerRow('beta')]);
  key = await newProberKey(scratch, 'frankfurt-1');
  token = scratch.file('enterprise.key');
  await writeFile(token, await grantCustomerKey(owner, 'prober', 'institution'), { mode: 0o600 });
  service = await startAt(await freePort());
});
afterAll(async () => {
  await Promise.all(fronts.map((front) => front.close()));
  await service?.remove();
  await owner?.remove();
  await scratch?.remove();
});

const standing = async (name: string, target: string): Promise<{ front: Front; prober: Prober }> => {
  const front = await startFront(key.verifierKey);
  fronts.push(front);
  front.lead(target);
  return { front, prober: createProber(front.origin, key.file, scratch.file(name), ['--enterprise-key', token]) };
};

/** The figures that the arithmetic of the contract computes from the delivered lines. */
const counted = async (front: Front, from: string, to: string) => {
  const verifierKey = parseVerifierKey(key.verifierKey);
  const x = Buffer.from(verifierKey.publicKey).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const { results, problems } = await readDayFile(
    front.lines(DATE).join('\n'),
    { key: verifierKey, date: DATE },
    {
      sha256: (bytes) => createHash('sha256').update(bytes).digest(),
      verify: (_key, message, signature) => verify(null, message, publicKey, signature),
    },
  );
  expect(problems).toEqual([]);
  const days: MeasuredDay[] = [{ date: DATE, probers: [{ name: verifierKey.name, since: from, results }] }];
  const states = computeStates({ days, from, to });
  return {
    figures: monthFigures({ days, from, to, objectives }),
    outages: findOutages(states, minuteNumber(from)),
    burn: burnStates(states, objectives),
  };
};

test('database away, process gone, only the feed stuck: each shows with its minutes, and the budget burns', async () => {
  const { front, prober } = await standing('outages', service.origin);
  const from = `${DATE}T10:00Z`;
  let at = 0;
  const next = () => prober.probe(addMinutes(from, at++));
  /** Measures until the service is up: its parts take a moment to find each other again. */
  const upAgain = () =>
    until('the service is up again', 30_000, async () => {
      const other = await standing(`look-${Math.random()}`, service.origin);
      return listWrong(await other.prober.probe('2026-12-09T00:00Z')).length === 0;
    });

  expect(listWrong(await next())).toEqual([]);
  expect(listWrong(await next())).toEqual([]);

  const { mongodPid } = await readEmbedded(owner);
  await pauseProcess(mongodPid);
  try {
    for (const _ of [2, 3]) expect(listWrong(await next())).toContain('feed');
  } finally {
    process.kill(mongodPid, 'SIGCONT');
  }
  await upAgain();
  expect(listWrong(await next())).toEqual([]);

  const port = new URL(service.origin).port;
  await service.end('SIGKILL');
  front.behave((req) => req.method === 'POST' && req.socket.destroy() !== undefined); // its intake is away, too
  for (const _ of [5, 6, 7]) expect(listWrong(await next())).toEqual(['enterprise', 'feed', 'public']);
  service = await startAt(port);
  front.behave();
  await upAgain();
  expect(listWrong(await next())).toEqual([]);

  const [{ number } = { number: -1 }] = await publish(owner, ['broker/alpha']);
  await inDatabase(owner, async (db) => {
    const entries = db.collection('recordEntries');
    const hidden = 9_000_000;
    await untilLogged(db); // so that the feed would have it
    await entries.updateOne({ number }, { $set: { number: hidden } });
    try {
      for (const _ of [9, 10]) expect(listWrong(await next())).toEqual(['feed']);
    } finally {
      await entries.updateOne({ number: hidden }, { $set: { number } });
    }
  });
  await upAgain();
  expect(listWrong(await next())).toEqual([]);

  expect(front.lines(DATE), 'what was measured meanwhile came late').toHaveLength(at);
  const { figures, outages, burn } = await counted(front, from, addMinutes(from, at));
  expect(outages.map(({ from: first, minutes }) => [first.slice(11), minutes])).toEqual([
    ['10:02Z', 2],
    ['10:05Z', 3],
    ['10:09Z', 2],
  ]);
  expect(figures).toMatchObject({ minutes: 12, up: 5, unmeasured: 0, isMet: false, credit: 50 });
  // 7 minutes of 60 are 7 / 0.06 times the budget; of the last 5, three were down
  expect(burn[0]).toMatchObject({ name: 'fast', longRate: 7000 / 60, shortRate: 600, isFiring: true });
});

test('planned restarts behind a proxy cost nothing', async () => {
  const ports = [await freePort(), await freePort()];
  const servers = [await startAt(ports[0] as number), await startAt(ports[1] as number)];
  const proxy = await startProxy(servers.map(({ origin }) => origin));
  try {
    const { front, prober } = await standing('restarts', proxy.origin);
    const from = `${DATE}T12:00Z`;
    let at = 0;
    let isOver = false;
    const measured = (async () => {
      const wrong: string[] = [];
      while (!isOver) {
        await inDatabase(owner, untilLogged); // minutes are short here: what the record has the feed has a minute later
        const line = await prober.probe(addMinutes(from, at++));
        for (const name of listWrong(line)) wrong.push(`${name}: ${line.checks[name]?.error}`);
      }
      return wrong;
    })();
    for (const which of [0, 1] as const) {
      const before = at;
      expect(await (servers[which] as ServiceProcess).end('SIGTERM')).toBe(0);
      await until('minutes are measured without it', 20_000, async () => at > before + 2);
      servers[which] = await startAt(ports[which] as number);
      await until('it has requests again', 20_000, async () => proxy.has((servers[which] as ServiceProcess).origin));
    }
    isOver = true;
    expect(await measured).toEqual([]);
    const { figures } = await counted(front, from, addMinutes(from, at));
    expect(figures).toMatchObject({ minutes: at, up: at, isMet: true, credit: 0 });
  } finally {
    await proxy.close();
    await Promise.all(servers.map((server) => server.remove()));
  }
});
