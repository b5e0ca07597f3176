import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  ACCOUNT_BASE_PATH,
  accountContract,
  BASE_PATH,
  contract,
  TRANSPARENCY_BASE_PATH,
  transparencyContract,
} from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH, enterpriseContract } from '@broker-transparency/contract/enterprise';
import { describe, expect, test } from 'vitest';

const page = new URL('../../docs/security.md', import.meta.url);
const rows = (await readFile(page, 'utf8'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (risk|attack|part) \|/.test(line))
  .map((line) => line.split(' | ') as [string, string, string, string]);

/** Tests that a row cites: files, each with titles in quotes. */
const listTests = (cell: string): { file: string; titles: string[] }[] =>
  [...cell.matchAll(/\]\(([^)]+)\): ((?:“[^”]+”(?:, )?)+)/g)].map(([, file = '', titles = '']) => ({
    file,
    titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));

/** Returns true if the source of a test has this title. */
const isTitle = (source: string, title: string): boolean =>
  [`'${title}'`, `"${title}"`].some(
    (quoted) => source.includes(`(${quoted}`) || source.includes(`\n  ${quoted}`) || source.includes(`\n    ${quoted}`),
  );

test('the page about security has a row for each of the ten API risks', () => {
  const risks = rows.map(([risk]) => /^\| (API\d+) /.exec(risk)?.[1]).filter(Boolean);
  expect(risks).toEqual(Array.from({ length: 10 }, (_, n) => `API${n + 1}`));
});

/** Names in code that a row gives for a part, such as the folders below a folder. */
const listNames = (start: string): string[] => {
  const cell = rows.map(([first]) => first).find((first) => first.startsWith(`| ${start}`));
  return [...(cell ?? '').slice(start.length).matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name).sort();
};

const listFolders = async (path: string): Promise<string[]> =>
  (await readdir(new URL(`../../${path}/`, import.meta.url), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

describe('every part has a row', () => {
  test.each([
    [BASE_PATH, contract],
    [ACCOUNT_BASE_PATH, accountContract],
    [TRANSPARENCY_BASE_PATH, transparencyContract],
    [ENTERPRISE_BASE_PATH, enterpriseContract],
  ])('every family of routes below %s has a row', (base, routes) => {
    expect(listNames(`\`${base}\``)).toEqual(Object.keys(routes).sort());
  });

  test('every kind of page has a row', async () => {
    const kinds = (await readdir(new URL('../../packages/portal/src/pages/', import.meta.url)))
      .filter((name) => !name.endsWith('.test.ts'))
      .map((name) => name.replace(/\.ts$/, ''));
    expect(listNames('the pages')).toEqual([...new Set(kinds)].sort());
  });

  test('every area of private pages has a row', async () => {
    expect(listNames('private pages')).toEqual(await listFolders('packages/portal/src/private'));
  });

  test('every folder of the server has a row', async () => {
    for (const name of await listFolders('server/src')) {
      const folder = `server/src/${name}`;
      const below = await listFolders(folder);
      const row = rows.find(([first]) => first.includes(`\`${folder}\``));
      expect(row, folder).toBeDefined();
      if (below.length > 0) expect(listNames(`\`${folder}\``), folder).toEqual(below);
    }
  });
});

const expectTestsExist = async (cell: string): Promise<void> => {
  const named = listTests(cell);
  expect(named).not.toEqual([]);
  for (const { file, titles } of named) {
    const source = await readFile(fileURLToPath(new URL(file, page)), 'utf8');
    for (const title of titles) expect(isTitle(source, title), `${file}: ${title}`).toBe(true);
  }
};

describe.each(rows)('%s', (_risk, _here, _by, shown) => {
  test('cites tests that exist', () => expectTestsExist(shown));

  test('names only project files that exist', async () => {
    const paths = [..._by.matchAll(/`([\w-]+\/[\w./-]+\.(?:ts|json|yaml))`/g)].map(([, path = '']) => path);
    for (const path of paths.filter((each) => !each.startsWith('*'))) {
      const found = await Promise.any(
        ['', 'server/src/'].map((folder) => readFile(new URL(`../../${folder}${path}`, import.meta.url))),
      ).catch(() => undefined);
      expect(found, path).toBeDefined();
    }
  });
});

describe('ASVS', async () => {
  const text = await readFile(new URL('../../docs/security-asvs.md', import.meta.url), 'utf8');
  const asked = (await readFile(new URL('asvs-5.0.0-level-2.txt', import.meta.url), 'utf8')).trim().split('\n');
  const table = text.split('\n').filter((line) => /^\| V\d/.test(line));
  const applying = table.map((line) => line.split(' | ')).filter((cells) => cells.length === 4);

  test('gives every requirement up to level 2 one place: its own row, or the reason why it does not apply', () => {
    const told = table.flatMap((line) => (line.split(' | ')[0] as string).match(/V[\d.]+/g) ?? []);
    expect(told.sort()).toEqual(asked.sort());
  });

  test('states the right counts', () => {
    const shown = applying.map(([, , , cell]) => String(cell));
    const count = (start: string) => shown.filter((cell) => cell.startsWith(start)).length;
    const numbers = [asked.length, shown.length, count('['), count('page:'), count('**gap**')];
    const [said = ''] = /of\n\d[\s\S]*?\*\*gap\*\*/.exec(text) ?? [];
    expect(said.match(/\d+/g)?.map(Number)).toEqual(numbers);
    expect(count('[') + count('page:') + count('**gap**')).toBe(shown.length);
  });

  test.each(applying.filter((cells) => !cells[3]?.startsWith('**gap**')))(
    'the row of %s cites tests or pages that exist: %s',
    async (_id, _asked, _here, cell) => {
      const shown = String(cell);
      if (shown.startsWith('[')) await expectTestsExist(shown);
      else for (const [, link = ''] of shown.matchAll(/\]\(([^)]+)\)/g)) await readFile(new URL(link, page));
    },
  );

  test.each(applying.filter((cells) => cells[3]?.startsWith('**gap**')))(
    'the row of %s explains its gap: %s',
    (...cells) => {
      expect(cells[3]).toMatch(/^\*\*gap\*\*: .{10,}/);
    },
  );
});
