import { expect, test } from 'vitest';
import { createStatusPage } from './page.ts';
import type { StatusFigures } from './read.ts';

const BEGUN = Date.parse('2026-11-23T10:00:00Z');

const createFigures = (now: Date): StatusFigures => ({
  generatedAt: now.toISOString(),
  now: { state: 'up', minute: '2026-11-23T09:58Z', since: '2026-11-23T09:00Z', said: 1, of: 1 },
  probers: [],
  days: [],
  month: null,
  incidents: [],
  unexplained: [],
  moreUnexplained: 0,
});

/** A page with a clock that is moved by hand, of figures that can be made unreadable. */
const createPage = () => {
  const world = { now: BEGUN, reads: 0, fails: false, hangs: false, faults: [] as unknown[] };
  const page = createStatusPage({
    clock: () => new Date(world.now),
    service: 'https://ratings.example',
    has: () => true,
    onFault: (error) => world.faults.push(error),
    read: (now) => {
      world.reads += 1;
      if (world.hangs) return new Promise(() => undefined);
      return world.fails ? Promise.reject(new Error('away')) : Promise.resolve(createFigures(now));
    },
  });
  return { world, page, json: async () => JSON.parse((await page())['status.json']) };
};

test('the page is made once a minute, however many ask', async () => {
  const { world, page } = createPage();
  const pages = await Promise.all([page(), page(), page()]);
  world.now += 59_999;
  pages.push(await page());
  expect(world.reads).toBe(1);
  world.now += 1;
  await page();
  expect(world.reads).toBe(2);
  expect(new Set(pages.map((each) => each['status.json'])).size).toBe(1);
});

test('the page is made again when the clock goes back', async () => {
  const { world, json } = createPage();
  await json();
  world.now -= 3_600_000;
  expect(await json()).toMatchObject({ generatedAt: '2026-11-23T09:00:00.000Z' });
});

test('keeps its last figures while they cannot be read, says how old they are, and comes back', async () => {
  const { world, page, json } = createPage();
  await page();
  world.fails = true;
  world.now += 7 * 60_000;
  expect((await page())['index.html']).toContain('<strong>The figures below are 7 minutes old</strong>');
  expect(world.faults).toEqual([new Error('away')]);
  world.now += 10_000;
  expect(await json()).toMatchObject({ generatedAt: '2026-11-23T10:00:00.000Z', shownAt: '2026-11-23T10:07:10.000Z' });
  world.fails = false;
  world.now += 10_000;
  expect(await json()).toMatchObject({ generatedAt: '2026-11-23T10:07:20.000Z' });
});

test('the page does not wait for a database that hangs', async () => {
  const { world, page, json } = createPage();
  await page();
  world.hangs = true;
  world.now += 60_000;
  const began = performance.now();
  expect(await json()).toMatchObject({ generatedAt: '2026-11-23T10:00:00.000Z' });
  expect(performance.now() - began).toBeLessThan(3000);
  world.now += 60_000;
  await page();
  expect(world.reads).toBe(2); // the one that hangs is not asked again
});

test('says that it knows nothing where it never read anything', async () => {
  const { world, page } = createPage();
  world.fails = true;
  const { 'index.html': html } = await page();
  expect(html).toContain('No figures of the service are known here');
  expect(html).not.toContain('this prober');
});
