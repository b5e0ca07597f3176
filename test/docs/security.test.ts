import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const page = new URL('../../docs/security.md', import.meta.url);
const rows = (await readFile(page, 'utf8'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (risk|attack) \|/.test(line))
  .map((line) => line.split(' | ') as [string, string, string, string]);

/** Tests that a row names: files, each with titles in quotes. */
const testsIn = (cell: string): { file: string; titles: string[] }[] =>
  [...cell.matchAll(/\]\(([^)]+)\): ((?:“[^”]+”(?:, )?)+)/g)].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));

/** A title as it stands in the source of a test. */
const isTitle = (source: string, title: string): boolean =>
  [`'${title}'`, `"${title}"`].some((quoted) => source.includes(`(${quoted}`) || source.includes(`\n    ${quoted}`));

test('each of the ten risks has its row', () => {
  const risks = rows.map(([risk]) => /^\| (API\d+) /.exec(risk)?.[1]).filter(Boolean);
  expect(risks).toEqual(Array.from({ length: 10 }, (_, n) => `API${n + 1}`));
});

describe.each(rows)('%s', (_risk, _here, _by, shown) => {
  test('names tests that exist', async () => {
    const named = testsIn(shown);
    expect(named).not.toEqual([]);
    for (const { file, titles } of named) {
      const source = await readFile(fileURLToPath(new URL(file, page)), 'utf8');
      for (const title of titles) expect(isTitle(source, title), `${file}: ${title}`).toBe(true);
    }
  });

  test('names files that exist where it names a path of the project', async () => {
    const paths = [..._by.matchAll(/`([\w-]+\/[\w./-]+\.(?:ts|json|yaml))`/g)].map(([, path = '']) => path);
    for (const path of paths.filter((each) => !each.startsWith('*'))) {
      const found = await Promise.any(
        ['', 'server/src/'].map((folder) => readFile(new URL(`../../${folder}${path}`, import.meta.url))),
      ).catch(() => undefined);
      expect(found, path).toBeDefined();
    }
  });
});
