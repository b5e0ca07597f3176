import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Kept between runs, and not in the lockfile: 90 MB that only commands outside the gate need. */
const FOLDER = join(import.meta.dirname, '../../.cache/chromium');

const dependencies = { 'playwright-core': '1.65.1', '@sparticuz/chromium': '153.0.0' };

/** The part of a page that commands use. */
interface Page {
  readonly goto: (url: string) => Promise<unknown>;
  readonly waitForFunction: (code: string, argument: undefined, options: { timeout: number }) => Promise<unknown>;
  readonly title: () => Promise<string>;
  readonly evaluate: <T>(code: string) => Promise<T>;
  readonly setViewportSize: (size: { width: number; height: number }) => Promise<void>;
  readonly emulateMedia: (media: { colorScheme: 'light' | 'dark' }) => Promise<void>;
  readonly screenshot: (options: { path: string; fullPage: boolean }) => Promise<unknown>;
  readonly on: {
    (event: 'console', listener: (message: { readonly text: () => string }) => void): unknown;
    (event: 'request', listener: (request: { readonly url: () => string }) => void): unknown;
  };
}

interface Browser {
  readonly version: () => string;
  readonly newPage: () => Promise<Page>;
  readonly close: () => Promise<void>;
}

/** Installs Chromium without running scripts, and starts it. */
export const openChromium = async (): Promise<Browser> => {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const install = ['install', '--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', install, { cwd: FOLDER });
  const inside = (path: string): string => join(FOLDER, 'node_modules', path);
  const { chromium: playwright } = await import(inside('playwright-core/index.mjs'));
  const { default: chromium } = await import(inside('@sparticuz/chromium/build/index.js'));
  return playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
};
