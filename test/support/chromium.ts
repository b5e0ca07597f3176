import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { CACHE } from './cache.ts';

const require = createRequire(import.meta.url);
const PACKAGE = join(require.resolve('@sparticuz/chromium'), '../..');

/**
 * Path of the browser. It comes from npm in a compressed form, and is unpacked once per version: 3 s and 200 MB. Test
 * processes that do so at the same time each write a file of their own, and the last one stays.
 */
const chromiumPath = async (): Promise<string> => {
  const { version } = require(join(PACKAGE, 'package.json')) as { version: string };
  const path = join(CACHE, `chromium-${version}`);
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'chromium-new-'));
  const unpacked = join(folder, 'chromium');
  const packed = createReadStream(join(PACKAGE, 'bin/chromium.br'));
  await pipeline(packed, createBrotliDecompress(), createWriteStream(unpacked, { mode: 0o755 }));
  await rename(unpacked, path);
  await rm(folder, { recursive: true });
  return path;
};

/**
 * Starts Chromium.
 * @param env settings of the process, such as `FONTCONFIG_FILE`
 * @param more further switches of its command line
 */
export const openChromium = async (
  env: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<Browser> => {
  const { PATH = '', HOME = '' } = process.env;
  const args = ['--font-render-hinting=none', '--disable-gpu', '--disable-dev-shm-usage', ...more];
  return chromium.launch({ executablePath: await chromiumPath(), args, env: { PATH, HOME, ...env } });
};
