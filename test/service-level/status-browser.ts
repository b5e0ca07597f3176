/**
 * Opens the status page in Chromium: `pnpm status:browser`. A real service shows an incident with a hostile title. Ends
 * with 1 if the console has an error, the page asks another host, a phone has to scroll sideways, or text is small.
 * `STATUS_SHOTS=DIR` keeps a picture of each width, light and dark.
 */
import { join } from 'node:path';
import { openChromium } from '../support/chromium.ts';
import { succeeded } from '../support/filled-service.ts';
import { startLockedMongo } from '../support/locked-mongo.ts';
import { startProcess } from '../support/process.ts';

const WIDTHS = [320, 360, 1280];
const SCHEMES = ['light', 'dark'] as const;
const TITLE = `<script>document.title='run'</script> ${'x'.repeat(80)}`;

/** Measures a page. Runs in it. */
const LOOK = `({
  width: document.documentElement.scrollWidth,
  small: [...document.querySelectorAll('body *')].filter((each) =>
    each.textContent.trim() !== '' && parseFloat(getComputedStyle(each).fontSize) < 16).length,
  hasTitle: document.querySelector('article h3')?.textContent === ${JSON.stringify(TITLE)},
  isStyled: getComputedStyle(document.querySelector('main')).maxWidth !== 'none',
  title: document.title,
})`;

interface Look {
  readonly width: number;
  readonly small: number;
  readonly hasTitle: boolean;
  readonly isStyled: boolean;
  readonly title: string;
}

const mongo = await startLockedMongo([]);
const service = await startProcess({ MONGODB_URL: mongo.url() });
const browser = await openChromium();
const faults: string[] = [];
try {
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const text = ['--text', 'y'.repeat(2000)];
  succeeded(await service.cli('incident', 'open', '--title', TITLE, '--since', from, ...text));
  const page = await browser.newPage();
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    if (!/^data:/.test(request.url()) && !request.url().startsWith(`${service.origin}/`))
      faults.push(`it asks ${request.url()}`);
  });
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${service.origin}/status`);
      const seen = await page.evaluate<Look>(LOOK);
      const where = `${width} px, ${colorScheme}`;
      if (seen.width > width) faults.push(`${where}: ${seen.width} px wide`);
      if (seen.small > 0) faults.push(`${where}: ${seen.small} elements with small text`);
      if (!seen.hasTitle || seen.title === 'run')
        faults.push(`${where}: the title of the incident is not shown as text`);
      if (!seen.isStyled) faults.push(`${where}: the style does not count`);
      const shots = process.env['STATUS_SHOTS'];
      if (shots) await page.screenshot({ path: join(shots, `status-${width}-${colorScheme}.png`), fullPage: true });
    }
  console.log(`Chromium ${browser.version()}, ${WIDTHS.length * SCHEMES.length} views`);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await service.remove();
  await mongo.stop();
}
