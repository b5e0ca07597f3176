import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { MOST_SHIFT, MOST_SIZES, type PageBudget } from './budgets.ts';

/** The settings with which a page is looked at. */
export interface View {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
  /** `empty`: scripts are allowed and none of the site has anything in it, so that tools can run in the page. */
  readonly script: 'on' | 'off' | 'empty';
}

interface Visit {
  readonly path: string;
  readonly status?: number;
  readonly budget: PageBudget;
  /** True if the page is one file, with its style and script in it. */
  readonly isAlone?: boolean;
}

/** The result of `look.js`. */
interface PageInspection {
  readonly title: string;
  readonly width: number;
  readonly wide: readonly string[];
  readonly small: readonly string[];
  readonly sizes: readonly (readonly [number, string])[];
  readonly long: readonly string[];
  /** Words that are broken inside. */
  readonly broken: readonly string[];
  /** Texts of people that turn the text beside them. */
  readonly turning: readonly string[];
  readonly charts: readonly string[];
  readonly inline: number;
  readonly headings: number;
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const require = createRequire(import.meta.url);
const LOOK = readFileSync(new URL('look.js', import.meta.url), 'utf8')
  .replace(/^\/\*\*[\s\S]*?\*\/\s*/, '')
  .replace(/;\s*$/, '');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Widths at which a page that is seen on a phone is measured besides. */
const MEASURED = [320, 768];

const inspectPage = (page: Page): Promise<PageInspection> => page.evaluate<PageInspection>(`(${LOOK})()`);

/** Sum of what has moved without being asked to, and what that was. */
const measureShift = (page: Page): Promise<{ readonly sum: number; readonly moved: readonly string[] }> =>
  page.evaluate(`new Promise((done) => {
    let sum = 0;
    const moved = new Set();
    const describeNode = (node) => node?.outerHTML?.slice(0, 60) ?? node?.textContent.slice(0, 60) ?? 'what is gone';
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        sum += value;
        for (const { node } of sources) moved.add(describeNode(node));
      }
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done({ sum, moved: [...moved] }))));
  })`);

/** Lists the faults that axe finds, each with its place and reason. Contents of frames belong to their own pages. */
export const axeFaults = async (page: Page): Promise<string[]> => {
  const found = await page.evaluate<Violation[]>(
    `${AXE};axe.run(document, { resultTypes: ['violations'], iframes: false }).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes: [first, ...more] }) => {
    const why = first?.failureSummary
      .split('\n')
      .slice(1, 3)
      .map((line) => line.trim())
      .join(' ');
    return `axe ${id}: ${first?.html.slice(0, 160)} (${why}) and ${more.length} more`;
  });
};

/** Faults that depend on the width of the window. */
const widthFaults = ({ width: seen, wide, broken }: PageInspection, width: number): string[] => [
  ...(seen > width ? [`${seen} px wide at ${width}: ${wide.join(', ')}`] : []),
  ...(broken.length > 0 ? [`words broken inside at ${width} px: ${broken.join(', ')}`] : []),
];

/** Lists the faults of a layout, however the page came about. `inline`: styles and scripts that may be in the page. */
const layoutFaults = (seen: PageInspection, width: number, inline: number): string[] => [
  ...widthFaults(seen, width),
  ...(seen.small.length > 0 ? [`text below 16 px: ${seen.small.join(', ')}`] : []),
  ...(seen.sizes.length > MOST_SIZES ? [`sizes of type: ${JSON.stringify(seen.sizes)}`] : []),
  ...(seen.long.length > 0 ? [`lines of more than 90 characters: ${seen.long.join(', ')}`] : []),
  ...seen.turning.map((text) => `it turns the text beside it: ${text}`),
  ...seen.charts.map((chart) => `chart: ${chart}`),
  ...(seen.inline > inline ? [`${seen.inline} inline styles or scripts`] : []),
  ...(seen.headings === 1 ? [] : [`${seen.headings} headings of the first level`]),
  ...(seen.title === 'run' ? ['its data were run'] : []),
];

/** Bytes of the files of a page by kind, as they travel. */
const createScale = () => {
  const bytes: Record<keyof PageBudget, number> = { html: 0, style: 0, script: 0 };
  return {
    add: (type: string, body: Buffer): void => {
      const kind = /html/.test(type)
        ? 'html'
        : /css/.test(type)
          ? 'style'
          : /javascript/.test(type)
            ? 'script'
            : undefined;
      if (kind) bytes[kind] += gzipSync(body).length;
    },
    faults: (budget: PageBudget): string[] =>
      (Object.keys(bytes) as (keyof PageBudget)[])
        .filter((kind) => bytes[kind] > budget[kind])
        .map((kind) => `${bytes[kind]} bytes of ${kind}, more than ${budget[kind]}`),
  };
};

/** Notes what a page says and asks while it is open. */
const watch = (page: Page, origin: string, status: number) => {
  const faults: string[] = [];
  const bodies: Promise<void>[] = [];
  const scale = createScale();
  page.on('console', (message) => {
    // Chromium says of an error page that it is one
    if (message.type() === 'error' && !(status >= 400 && message.text().includes(`status of ${status}`)))
      faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(data|about):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
      faults.push(`it asks ${request.url()}`);
  });
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (/html|css|javascript/.test(type)) bodies.push(response.body().then((body) => scale.add(type, body)));
  });
  return { faults, scale, settled: () => Promise.all(bodies) };
};

/** Opens pages of a service in one view. */
export const createViewer = async (browser: Browser, origin: string, view: View) => {
  const context: BrowserContext = await browser.newContext({
    javaScriptEnabled: view.script !== 'off',
    colorScheme: view.scheme,
    viewport: { width: view.width, height: view.width < 600 ? 640 : 800 },
  });
  context.setDefaultTimeout(120_000);
  if (view.script === 'empty')
    await context.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));

  /** Faults of one page. `more` looks at it besides, while it is open. */
  const visit = async (
    { path, status = 200, budget, isAlone = false }: Visit,
    more: (page: Page) => Promise<readonly string[]> = async () => [],
  ): Promise<string[]> => {
    const page = await context.newPage();
    try {
      const { faults, scale, settled } = watch(page, origin, status);
      const answer = await page.goto(`${origin}${path}`);
      if (answer?.status() !== status) faults.push(`answered ${answer?.status()}`);
      const policy = answer?.headers()['content-security-policy'] ?? 'none';
      if (!/default-src 'none'/.test(policy) || /unsafe/.test(policy)) faults.push(`its policy is ${policy}`);
      faults.push(...layoutFaults(await inspectPage(page), view.width, isAlone ? 2 : 0));
      if (view.script === 'on') {
        const { sum, moved } = await measureShift(page);
        if (sum > MOST_SHIFT) faults.push(`moves by ${sum.toFixed(3)} while it loads: ${moved.join(', ')}`);
      }
      faults.push(...(await more(page)));
      for (const width of view.width < 600 ? MEASURED : []) {
        await page.setViewportSize({ width, height: 640 });
        faults.push(...widthFaults(await inspectPage(page), width));
      }
      await settled();
      return [...faults, ...scale.faults(budget)].map((fault) => `${path}: ${fault}`);
    } finally {
      await page.close();
    }
  };
  return { context, visit, close: () => context.close() };
};
