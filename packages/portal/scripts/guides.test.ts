import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildSiteGuides } from './guides.ts';

const made = buildSiteGuides();

/** Pages for those who work on the service itself. */
const FOR_CONTRIBUTORS = [
  'architecture.md',
  'benchmarks.md',
  'recipes.md',
  'releasing.md',
  'security-asvs.md',
  'tools.md',
];

test('every page for readers is on the site', () => {
  const folder = new URL('../../../docs/', import.meta.url);
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/node_modules|^decisions/.test(path))
    .filter((path) => !FOR_CONTRIBUTORS.includes(path))
    .map((path) => path.replace(/(\/README)?\.md$/, ''));
  const names = Object.keys(made).map((name) => name.replace(/\.html$/, ''));
  expect(names).toEqual(expect.arrayContaining(pages.map((page) => page.replaceAll('/', '-'))));
});

const listIds = (name: string): string[] =>
  [...(made[`${name}.html`] ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => String(id));

/** Addresses of the files that belong to the methodology. */
const served = new Set(
  ['contract', 'docs'].flatMap((part) =>
    readdirSync(new URL(`../../../${part}/methodology/`, import.meta.url)).map((name) => `/methodology/${name}`),
  ),
);

test.each(Object.keys(made).filter((name) => name.endsWith('.html')))('links of %s lead somewhere', (file) => {
  const broken = [...(made[file] ?? '').matchAll(/ href="([^"]+)"/g)]
    .map(([, href]) => String(href))
    .filter((href) => !/^https?:/.test(href) && !served.has(href))
    .filter((href) => {
      const [path = '', anchor] = href.split('#');
      const name = path === '' ? file.slice(0, -5) : path.replace(/^\/(docs\/guides\/)?/, '').replaceAll('/', '-');
      return !(`${name}.html` in made) || (anchor !== undefined && !listIds(name).includes(anchor));
    });
  expect(broken).toEqual([]);
});
