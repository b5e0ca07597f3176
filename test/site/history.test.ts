import { createClient } from '@broker-transparency/client';
import { type RecordCalls, record as recordFamily } from '@broker-transparency/client/record';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import type { Service } from '../support/process.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { startLogService, untilAllSigned } from '../support/signed-log.ts';

/** Script, a mark that turns the line, piled marks, and no blank to break at. */
const HOSTILE = `</h1><script>alert(1)</script>\u202e${'Z\u0335\u0321\u0489'.repeat(8)}${'W'.repeat(30)}`;

const withStatus = (status: string) =>
  brokerRow('alpha', {
    name: HOSTILE,
    licenses: [licenseRow('alpha Ltd', 'fca', { status, referenceNumber: '<b>7/8' })],
  });

let service: Service;
let remove: (() => Promise<void>) | undefined;
let record: RecordCalls;
beforeAll(async () => {
  ({ service, remove } = await startLogService());
  ({ record } = createClient({ baseUrl: service.baseUrl, with: [recordFamily()] }));
  await importRows(service, 'brokers', [withStatus('active'), brokerRow('old-name')]);
  await importRows(service, 'brokers', [withStatus('withdrawn')]);
  succeeded(await service.cli('broker', 'rename', 'old-name', 'new-name'));
  await untilAllSigned(service);
});
afterAll(() => remove?.());

const open = (path: string) => send(`${service.origin}${path}`, { headers: { Accept: 'text/html' } });

/** Lists what a page says of each change: the number of its last entry, and the score after it. */
const listChanges = (text: string) =>
  [...text.matchAll(/<li class="change">(.*?)<p class="change-evidence/gs)].map(([, item = '']) => item);

describe('the history of a broker as a page', () => {
  test('the history page has every change with its cause and the score after it, newest first', async () => {
    const { status, text, headers } = await open('/brokers/alpha/history');
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=30']);
    const steps = await record.brokers.history('alpha').toArray();
    const times = steps.map(({ time }) => time).toReversed();
    const items = listChanges(text);
    expect(items.map((item) => /datetime="([^"]+)"/.exec(item)?.[1])).toEqual(times);
    for (const [at, time] of times.entries()) {
      const last = steps.toReversed()[at];
      expect(items[at]).toContain(`<b>${last?.value?.toFixed(1)}</b>`);
      expect(text).toContain(`at?knownAt=${last?.number}&amp;validAt=${time}"`);
      expect(text).toContain(`proof?number=${last?.number}"`);
    }
    expect(items[0]).toContain('Licence <bdi>FCA &lt;b&gt;7/8</bdi>');
    expect(items[0]).toMatch(/\d less/);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toMatch(/Older changes|Newest changes/);
  });

  test('the story tells each licence with its source, and a fall of the score with the event that explains it', async () => {
    const { text } = await open('/brokers/alpha/history');
    const story = text.slice(text.indexOf('id="story"'), text.indexOf('id="changes"'));
    const steps = await record.brokers.history('alpha').toArray();
    const told = [...story.matchAll(/data-change="(\d+)"/g)].map(([, number]) => Number(number));
    expect(told).toEqual(steps.map(({ number }) => number).toReversed());
    expect(story).toMatch(
      /data-event="licence"[^>]*>Licence <bdi>FCA &lt;b&gt;7\/8<\/bdi>: withdrawn \(before: active\)/,
    );
    const fallen = ((steps[0]?.value as number) - (steps.at(-1)?.value as number)).toFixed(1);
    expect(story).toContain(
      `<strong>The score fell by ${fallen}.</strong> Reason: Licence <bdi>FCA &lt;b&gt;7/8</bdi>`,
    );
    const today = new Date().toISOString().slice(0, 10);
    expect(story).toContain(`<a href="/brokers/alpha/history?on=${today}#on">`);
    expect(story).not.toContain('<script>');
    expect((await open('/de/brokers/alpha/history')).text).toMatch(/Die Wertung sank um .*Grund: Lizenz/);
    const framed = await open('/embed/brokers/alpha/story');
    expect(framed.status).toBe(200);
    expect(framed.text).not.toMatch(/<(script|form|button|input)/);
    const moved = await open('/embed/brokers/old-name/story');
    expect([moved.status, moved.headers['location']]).toEqual([308, '/embed/brokers/new-name/story']);
  });

  test('shows the score as it was known at the end of a day', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const now = await open(`/brokers/alpha/history?on=${today}`);
    const { score } = await record.brokers.at('alpha');
    expect(now.text).toContain(`<p class="lead"><b>${score.value?.toFixed(1)}</b>`);
    expect(now.text).toContain('data-chart="score-parts"');
    expect(now.text).toContain('<meta name="robots" content="noindex">');
    expect(now.text).toMatch(/<h3>At .*: this day is not over<\/h3>/);
    expect(/Source: <a href="([^"]+)">the score, taken apart/.exec(now.text)?.[1]).toContain(
      '/brokers/alpha/at?knownAt=',
    );
  });

  test('the history page links to its evidence', async () => {
    const { text } = await open('/brokers/alpha/history');
    const links = [...text.matchAll(/href="(\/transparency\/v1\/[^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    expect(links.length).toBeGreaterThan(4);
    for (const href of links) expect([href, (await send(service.origin + href)).status]).toEqual([href, 200]);
    expect(links.every((href) => href.startsWith(`${TRANSPARENCY_BASE_PATH}/brokers/alpha/`))).toBe(true);
  });

  test('goes back page by page, and says where it begins', async () => {
    const steps = await record.brokers.history('alpha').toArray();
    const [first, second] = steps.map(({ entries }) => entries[0]?.number);
    const { text } = await open(`/brokers/alpha/history?before=${second}`);
    expect(listChanges(text)).toHaveLength(1);
    expect(text).toContain('the first score');
    expect(text).toContain('Newest changes');
    const { text: none } = await open(`/brokers/alpha/history?before=${first}`);
    expect(none).toContain('There are no older changes.');
  });

  test('the history page has one address for each change and day, and others lead to the nearest of these', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { since } = await record.brokers.history('alpha');
    const steps = await record.brokers.history('alpha').toArray();
    const numbers = new Set(steps.map(({ entries }) => entries[0]?.number));
    const last = steps.at(-1)?.number as number;
    const nextStep = (from: number) => steps.find(({ number }) => number >= from)?.entries[0]?.number;
    for (let before = 1; before <= last; before++) {
      const { status, headers } = await open(`/brokers/alpha/history?before=${before}`);
      const expected = numbers.has(before) ? [200] : [308, `/brokers/alpha/history?before=${nextStep(before)}`];
      expect([status, headers['location']].filter(Boolean), `before=${before}`).toEqual(expected);
    }
    for (const [query, canonical] of [
      [`before=${last + 1}`, ''],
      ['before=999999999', ''],
      ['on=2999-12-31', `?on=${today}`],
      ['on=1999-12-31', `?on=${since.slice(0, 10)}`],
      [`on=${today}&before=${last}`, `?on=${today}`],
      [`before=${last}&on=2999-12-31`, `?on=${today}`],
    ]) {
      const { status, headers } = await open(`/de/brokers/alpha/history?${query}`);
      expect([status, headers['location']], query).toEqual([308, `/de/brokers/alpha/history${canonical}`]);
      expect((await open(headers['location'] as string)).status, query).toBe(200);
    }
  });

  test('the history page is there in each language, and under the current name of a broker', async () => {
    expect((await open('/de/brokers/alpha/history')).text).toContain('Jede Änderung, die neueste zuerst');
    const moved = await open('/brokers/old-name/history');
    expect([moved.status, moved.headers['location']]).toEqual([308, '/brokers/new-name/history']);
    expect((await open('/brokers/nobody/history')).status).toBe(404);
    const wrong = await send(`${service.origin}/brokers/alpha/history?on=yesterday`);
    expect(expectProblem(wrong).status).toBeGreaterThanOrEqual(400);
  });
});
