import { build } from 'esbuild';
import { openChromium } from '../../support/chromium.ts';
import type { CannedService } from './service.ts';
import { getToolPath } from './tools.ts';

const bundle = async (contents: string, resolveDir: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
  });
  return outputFiles[0]?.text ?? '';
};

/** The answer of a Worker in workerd at a path. */
export const inWorker = async (folder: string, program: string, path = '/', bindings = {}): Promise<string> => {
  const { Miniflare } = await import(getToolPath('miniflare/dist/src/index.js'));
  const script = await bundle(program, folder);
  // Passes the bundle as wrangler does, so that Miniflare does not search it for imports.
  const modules = [{ type: 'ESModule', path: 'worker.mjs', contents: script }];
  const worker = new Miniflare({ modules, bindings, compatibilityDate: '2026-01-01' });
  try {
    const response = await worker.dispatchFetch(`http://worker.test${path}`);
    return await response.text();
  } finally {
    await worker.dispose();
  }
};

/** The title of the service's page after its script has run in Chromium. */
export const inBrowser = async (folder: string, service: CannedService, program: string): Promise<string> => {
  service.setPage(await bundle(program, folder));
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(service.origin);
    await page.waitForFunction("document.title !== 'Consumer'", undefined, { timeout: 10_000 });
    return await page.title();
  } finally {
    await browser.close();
  }
};
