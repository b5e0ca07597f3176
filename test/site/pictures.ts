/**
 * Compares the first screens of a phone with the pictures beside this file: `pnpm site:pictures`. The browser and its
 * fonts are pinned, the brokers and the clock are made up, so every machine draws the same. Ends with 1 if a picture
 * differs, and keeps what was drawn in `.cache/site/pictures`. `--accept` makes it the picture to compare with.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { importRows } from '../support/filled-service.ts';
import { startProcess } from '../support/process.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { until } from '../support/until.ts';
import { siteTools } from './tools.ts';

const { values } = parseArgs({ options: { accept: { type: 'boolean', default: false } } });
const KEPT = join(import.meta.dirname, 'pictures');
const DRAWN = join(import.meta.dirname, '../../.cache/site/pictures');
/** Share of pixels that may differ: none does on the same machine. */
const MOST_DIFFERENT = 0.001;

const WARNING = {
  source: 'Example Authority',
  url: 'https://authority.example/warnings/1',
  title: 'It offers services without a licence',
  publishedAt: '2026-10-01T00:00:00Z',
  about: 'this_firm',
};
const license = (slug: string, over: object = {}) =>
  licenseRow(`${slug} Ltd`, 'fca', { statusEffectiveAt: '2015-03-01T00:00:00Z', ...over });
const row = (slug: string, over: object = {}) =>
  brokerRow(slug, { licensesCheckedAt: '2026-11-15T00:00:00Z', licenses: [license(slug)], ...over });

const BROKERS = [
  row('genuine'),
  row('warned', { warnings: [WARNING] }),
  row('clone', { status: 'suspected_clone' }),
  row('unconfirmed', { licenses: [license('unconfirmed', { status: 'unverified' })] }),
  row('never-checked', { licensesCheckedAt: null }),
];
const ENDED = [
  row('ceased', { status: 'ceased', successor: 'genuine' }),
  row('merged', { status: 'merged', successor: 'genuine' }),
];
const PATHS = [
  ...[...BROKERS, ...ENDED].map(({ slug }) => `/brokers/${slug}`),
  '/brokers',
  '/compare?a=genuine&b=clone',
  '/embed/brokers/unconfirmed',
].flatMap((path) => [path, `/de${path}`]);

const dataUrl = (image: Buffer): string => `data:image/png;base64,${image.toString('base64')}`;

/** Share of pixels that differ between two pictures; 1 if they differ in size. */
const measureDifference = (page: Page, one: Buffer, other: Buffer): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const pixels = async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      return canvas.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = await Promise.all([${JSON.stringify(dataUrl(one))}, ${JSON.stringify(dataUrl(other))}].map(pixels));
    if (a.width !== b.width || a.height !== b.height) return 1;
    let different = 0;
    for (let at = 0; at < a.data.length; at += 4)
      if ([0, 1, 2].some((channel) => Math.abs(a.data[at + channel] - b.data[at + channel]) > 16)) different++;
    return (4 * different) / a.data.length;
  })()`);

const toFileName = (path: string): string => `${path.replace(/\W+/g, '-').replace(/^-|-$/g, '')}.png`;

const draw = async (browser: Browser, origin: string): Promise<Map<string, Buffer>> => {
  const drawn = new Map<string, Buffer>();
  const page = await browser.newPage({ viewport: { width: 360, height: 800 }, deviceScaleFactor: 0.75 });
  for (const path of PATHS) {
    await page.goto(origin + path);
    drawn.set(toFileName(path), await page.screenshot({ animations: 'disabled' }));
  }
  await page.close();
  return drawn;
};

const compare = async (browser: Browser, drawn: ReadonlyMap<string, Buffer>): Promise<string[]> => {
  const page = await browser.newPage();
  const faults: string[] = [];
  for (const [file, picture] of drawn) {
    const kept = join(KEPT, file);
    const share = existsSync(kept) ? await measureDifference(page, await readFile(kept), picture) : 1;
    if (share > MOST_DIFFERENT) faults.push(`${file}: ${(100 * share).toFixed(1)} % differs`);
  }
  return faults;
};

const { environment } = await siteTools();
const service = await startProcess({ LOG_LEVEL: 'error', CLOCK: '2026-11-20T12:00:00Z' });
const browser = await openChromium(environment);
try {
  await importRows(service, 'brokers', BROKERS);
  await importRows(service, 'brokers', ENDED);
  await until('all brokers are published', 30_000, async () => {
    const answers = await Promise.all(PATHS.map((path) => fetch(service.origin + path)));
    return answers.every(({ ok }) => ok);
  });
  const drawn = await draw(browser, service.origin);
  const folder = values.accept ? KEPT : DRAWN;
  await mkdir(folder, { recursive: true });
  for (const [file, picture] of drawn) await writeFile(join(folder, file), picture);
  const faults = await compare(browser, drawn);
  for (const fault of faults) console.log(fault);
  console.log(`Chromium ${browser.version()}, ${drawn.size} pictures, ${faults.length} differ`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await service.remove();
}
