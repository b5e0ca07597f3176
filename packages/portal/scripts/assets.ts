import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { iconSvg } from '../src/pictures/mark.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Returns the icon, the style and the scripts of the site by name, bundled and minified. Each island is its own script.
 */
export const siteAssets = async (): Promise<Readonly<Record<string, string>>> => {
  const islands = readdirSync(here('../src/islands')).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const { outputFiles } = await build({
    entryPoints: [
      here('../style/site.css'),
      here('../style/status.css'),
      here('../style/verify.css'),
      ...islands.map((name) => here(`../src/islands/${name}`)),
    ],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    conditions: ['@broker-transparency/source'],
    charset: 'utf8',
    legalComments: 'none',
    outdir: here('.'),
    entryNames: '[name]',
  });
  return { ...Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text])), 'icon.svg': iconSvg() };
};
