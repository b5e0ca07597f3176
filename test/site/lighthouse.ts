/**
 * Measures pages with Lighthouse, the median of five: `pnpm site:lighthouse`. A phone on slow 4G is simulated from a
 * load without limits. Ends with 1 if a page is slower or larger than the site promises.
 */
import { gzipSync } from 'node:zlib';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import type { Browser } from 'playwright-core';
import { openChromium } from '../support/chromium.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { siteTools } from './tools.ts';

const ROUNDS = 5;
const PATHS = ['/', '/brokers/alpha-markets', '/brokers', '/search?q=alpha', '/docs', '/methodology'];
const PROMISED = { performance: 0.95, lcpMs: 1000, scriptBytes: 30_000, keystrokeMs: 50 };

interface Figures {
  readonly performance: number;
  readonly lcp: number;
  readonly shift: number;
  readonly blocking: number;
  readonly total: number;
}

interface Report {
  readonly lhr: {
    readonly categories: { readonly performance: { readonly score: number } };
    readonly audits: Readonly<Record<string, { readonly numericValue: number }>>;
    readonly runtimeError?: { readonly message: string };
  };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

const openForTools = async (env: Readonly<Record<string, string>>): Promise<[Browser, number]> => {
  const port = await freePort();
  return [await openChromium(env, [`--remote-debugging-port=${port}`]), port];
};

const faults: string[] = [];

/** One figure of each kind for a page. */
const measure = async (url: string, env: Readonly<Record<string, string>>): Promise<Figures> => {
  const lighthouse = (await (await siteTools()).lighthouse()).default;
  const runs: Figures[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [browser, port] = await openForTools(env);
    try {
      const flags = { port, onlyCategories: ['performance'], throttlingMethod: 'simulate', logLevel: 'error' };
      const { lhr } = (await lighthouse(url, flags)) as Report;
      if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
      const value = (audit: string): number => lhr.audits[audit]?.numericValue ?? Number.NaN;
      runs.push({
        performance: lhr.categories.performance.score,
        lcp: value('largest-contentful-paint'),
        shift: value('cumulative-layout-shift'),
        blocking: value('total-blocking-time'),
        total: value('total-byte-weight'),
      });
    } finally {
      await browser.close();
    }
  }
  const of = (key: keyof Figures): number => median(runs.map((run) => run[key]));
  return {
    performance: of('performance'),
    lcp: of('lcp'),
    shift: of('shift'),
    blocking: of('blocking'),
    total: of('total'),
  };
};

/** Longest time from a key to the frame that shows what it did, while somebody types into the search. */
const keystroke = async (service: ServiceProcess, env: Readonly<Record<string, string>>): Promise<number> => {
  const browser = await openChromium(env);
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 640 } });
    await page.goto(service.origin);
    await page.evaluate(`globalThis.longest = 0; new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (/^(key|input)/.test(name)) longest = Math.max(longest, duration);
    }).observe({ type: 'event', durationThreshold: 16 })`);
    const input = page.locator('input[type=search]').first();
    for (const word of ['alpha markets', 'zeta', 'north']) {
      await input.fill('');
      await input.pressSequentially(word, { delay: 90 });
      await page.waitForLoadState('networkidle');
    }
    return await page.evaluate<number>('longest');
  } finally {
    await browser.close();
  }
};

/** Bytes of all scripts of a page, as they travel. */
const scriptBytes = async (url: string): Promise<number> => {
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (/javascript/.test(response.headers()['content-type'] ?? '')) bodies.push(response.body());
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  } finally {
    await browser.close();
  }
};

const { environment } = await siteTools();
const service = await startProcess({ LOG_LEVEL: 'error', MONGODB_URL: undefined }, ['--demo']);
try {
  console.log('| page | performance | LCP | shift | blocking | bytes |\n|---|--:|--:|--:|--:|--:|');
  for (const path of PATHS) {
    const { performance, lcp, shift, blocking, total } = await measure(service.origin + path, environment);
    console.log(
      `| \`${path}\` | ${performance * 100} | ${lcp.toFixed(0)} ms | ${shift.toFixed(3)} | ${blocking.toFixed(0)} ms | ${total} |`,
    );
    if (performance < PROMISED.performance) faults.push(`${path}: performance of ${performance * 100}`);
    if (lcp > PROMISED.lcpMs) faults.push(`${path}: LCP after ${lcp.toFixed(0)} ms`);
  }
  const script = await scriptBytes(`${service.origin}/brokers/alpha-markets`);
  const keyMs = await keystroke(service, environment);
  console.log(`\nScripts of a broker page: ${script} bytes. Longest answer to a key in the search: ${keyMs} ms.`);
  if (script > PROMISED.scriptBytes) faults.push(`${script} bytes of script on a broker page`);
  if (keyMs > PROMISED.keystrokeMs) faults.push(`a key is answered after ${keyMs} ms`);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await service.remove();
}
