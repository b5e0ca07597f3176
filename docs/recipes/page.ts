import { readdir, readFile } from 'node:fs/promises';

const read = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');

/** The place of a file in the page: its name, and the text that was shown of it last. */
const PLACE = /<!-- (\S+\.tsx?) -->\n(?:\n```tsx?\n.*?^```\n)?/gms;

/** Every recipe: a file that has a test beside it. */
export const recipes = async (): Promise<string[]> => {
  const files = await readdir(new URL('.', import.meta.url));
  const isTested = (file: string) => files.includes(file.replace(/\.tsx?$/, '.test.ts'));
  return files.filter((file) => /^[\w-]+\.tsx?$/.test(file) && isTested(file) && file !== 'page.ts').sort();
};

/** The names of the files that the page shows. */
export const listShownFiles = (page: string): string[] => [...page.matchAll(PLACE)].map(([, name = '']) => name);

/** The page with its files as they are now. */
export const currentPage = async (): Promise<{ before: string; now: string }> => {
  const before = await read('README.md');
  const sources = new Map<string, string>();
  for (const name of listShownFiles(before)) sources.set(name, await read(name));
  const now = before.replace(
    PLACE,
    (_, name: string) => `<!-- ${name} -->\n\n\`\`\`${name.split('.').at(-1)}\n${sources.get(name)}\`\`\`\n`,
  );
  return { before, now };
};
