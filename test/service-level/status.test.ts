import { createHash } from 'node:crypto';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEmbedded } from '../support/database.ts';
import { succeeded } from '../support/filled-service.ts';
import { pauseProcess } from '../support/pause-process.ts';
import { createChain, createReadings, deliveryHeaders, newProber } from '../support/prober.ts';
import { EMBEDDED, type ServiceProcess, startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';

const DATE = '2026-11-20';
/** The time when the prober is registered: it has a vote from 10:01 on. */
const REGISTERED = { CLOCK: `${DATE}T09:59:00Z` };
const at = (time: string): string => `${DATE}T${time}Z`;
const HOSTILE = '<script>alert(1)</script> & "reads" fail';

const prober = newProber('frankfurt-1');
/** From 10:01 to 11:59: one minute down at 11:10, and twelve from 11:30 on. */
const results = createReadings(at('10:01'), 119, (minute) => minute === 69 || (minute >= 89 && minute < 101));

let service: ServiceProcess;

beforeAll(async () => {
  service = await startProcess({ ...EMBEDDED, CLOCK: `${DATE}T12:00:00Z` });
  succeeded(await service.cliWith(REGISTERED, 'admin', 'prober', 'add', prober.verifierKey));
  const url = `${service.origin}${TRANSPARENCY_BASE_PATH}/service-level/results/${prober.name}/${DATE}`;
  const body = createChain(prober, results).text;
  const headers = deliveryHeaders(prober, DATE, body, new Date(`${DATE}T12:00:00Z`));
  const delivered = await fetch(url, { method: 'POST', headers, body });
  expect(delivered.status, await delivered.text()).toBe(200);
});
afterAll(() => service?.remove());

const openPage = async (path = '/status'): Promise<{ response: Response; text: string }> => {
  const response = await fetch(`${service.origin}${path}`);
  return { response, text: await response.text() };
};
const readData = async () => JSON.parse((await openPage('/status.json')).text);
const incident = (...args: string[]) => service.cli('incident', ...args, '--actor', 'maria');
const opened = async (title: string, from: string, ...more: string[]) => {
  const line = succeeded(await incident('open', '--title', title, '--since', at(from), ...more));
  return { line, id: /in_[0-9a-f]+/.exec(line)?.[0] as string };
};
const readRefusal = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await incident(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.trim();
};
const withDatabaseAway = async (work: () => Promise<void>): Promise<void> => {
  const { mongodPid } = await readEmbedded(service);
  await pauseProcess(mongodPid);
  try {
    await work();
  } finally {
    process.kill(mongodPid, 'SIGCONT');
  }
};

describe('an incident', () => {
  test('an incident cannot begin later or end earlier than what was measured', async () => {
    const late = await readRefusal('open', '--title', 'Late', '--since', at('11:31'));
    expect(late).toBe(
      `It began later than the outage that the probers measured from ${at('11:30')} to ${at('11:42')} (12 minutes). State at least that time.`,
    );
    const { id } = await opened(HOSTILE, '11:29', '--text', 'We look into it.');
    expect(await readRefusal('resolve', id, '--until', at('11:41'))).toMatch(
      /^It ended earlier .* to 2026-11-20T11:42Z/,
    );
    expect(await readRefusal('update', id, '--text', 'Later', '--since', at('11:35'))).toMatch(/^It began later/);
    expect(await readRefusal('resolve', id, '--until', at('23:00'))).toBe('It cannot end in the future.');
    succeeded(await incident('update', id, '--text', 'It is the network.', '--since', at('11:30')));
    const line = succeeded(await incident('resolve', id, '--until', at('11:42'), '--text', 'All is well.'));
    expect(line).toBe(`Incident ${id} ended ${DATE}T11:42:00.000Z.\n`);
    const shown = JSON.parse(succeeded(await service.cli('incident', 'show', id, '--json')));
    expect(shown).toMatchObject({ id, state: 'resolved', from: `${DATE}T11:30:00.000Z`, title: HOSTILE });
    expect(shown.updates.map(({ text }: { text: string }) => text)).toEqual([
      'We look into it.',
      'It is the network.',
      'All is well.',
    ]);
    const trail = JSON.parse(succeeded(await service.cli('audit', 'list', '--subject', `incident:${id}`, '--json')));
    // each command has a clock of its own that begins at noon, so the order is not theirs
    expect(trail.map(({ action }: { action: string }) => action).sort()).toEqual([
      'incident.opened',
      'incident.resolved',
      'incident.updated',
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/network|script/);
  });

  test('an incident that the probers did not see stands, and a retracted one is left alone', async () => {
    const { line, id } = await opened('Searches are slow', '10:30');
    expect(line).not.toContain('saw nothing'); // it goes on, over what was measured later
    expect(succeeded(await incident('resolve', id, '--until', at('10:40')))).toContain('The probers saw nothing then');
    const twice = await opened('Twice', '11:30');
    succeeded(await incident('retract', twice.id));
    expect(await readRefusal('retract', twice.id)).toBe(`The incident "${twice.id}" was retracted.`);
    expect(await readRefusal('resolve', twice.id, '--until', at('11:50'))).toMatch(/was retracted/);
    expect((await service.cli('incident', 'show', 'in_0')).stderr.trim()).toBe(
      'There is no incident "in_0". See: incident list',
    );
    const rows = JSON.parse(succeeded(await service.cli('incident', 'list', '--json')));
    expect(rows.map(({ state }: { state: string }) => state).sort()).toEqual(['resolved', 'resolved', 'retracted']);
  });
});

describe('/status', () => {
  test('the status page answers while the database is away before any figures were read, and recovers', async () => {
    await withDatabaseAway(async () => {
      const { response, text } = await openPage();
      expect(response.status).toBe(200);
      expect(text).toContain('No figures of the service are known here.');
      expect(text).toContain('<title>Status ·');
    });
    await until('the page has figures', 60_000, async () => (await readData()).generatedAt !== null);
  });

  test('the status page shows outages with their minutes, and incidents beside them', async () => {
    const data = await readData();
    expect(data).toMatchObject({
      service: service.origin,
      source: 'service',
      probers: [{ name: 'frankfurt-1', minute: at('11:59') }],
      unexplained: [{ from: at('11:10'), to: at('11:11'), minutes: 1, unmeasured: 0 }],
      incidents: [
        {
          title: HOSTILE,
          from: `${DATE}T11:30:00.000Z`,
          to: `${DATE}T11:42:00.000Z`,
          measured: [{ from: at('11:30'), to: at('11:42'), minutes: 12, unmeasured: 0 }],
        },
        { title: 'Searches are slow', measured: [] },
      ],
    });
    expect(data.days).toEqual([
      { date: DATE, minutes: expect.any(Number), up: expect.any(Number), unmeasured: expect.any(Number) },
    ]);
    const [{ minutes, up, unmeasured }] = data.days;
    expect(minutes - up - unmeasured).toBe(13);
    expect(data.month).toMatchObject({ month: '2026-11', minutes, up, unmeasured, promised: 999, allowed: 15 });
    expect(data.month.speeds.publicReads).toMatchObject({ ms: 5000, isMet: false });
    const { text } = await openPage();
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;reads&quot; fail');
    expect(text).toContain('not seen by the probers');
    expect(text).toContain('no explanation written yet');
    expect(text).not.toContain('Twice');
  });

  test('the status page runs nothing: its one style is allowed by its hash', async () => {
    const { response, text } = await openPage();
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
    const policy = response.headers.get('content-security-policy');
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; ` +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<script| style=| on\w+=/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=30');
    const known = { 'If-None-Match': response.headers.get('etag') as string };
    expect((await fetch(`${service.origin}/status`, { headers: known })).status).toBe(304);
    expect((await fetch(`${service.origin}/status`, { method: 'HEAD' })).status).toBe(200);
  });

  test('the status page stays while the database is away, and says when its figures were made', async () => {
    const { generatedAt } = await readData();
    await withDatabaseAway(async () => {
      const { response, text } = await openPage();
      expect(response.status).toBe(200);
      expect(text).toContain('11:30');
      expect(text).toContain(`of figures of <time datetime="${generatedAt.slice(0, 16)}Z">`);
      expect((await readData()).generatedAt).toBe(generatedAt);
    });
  });
});
