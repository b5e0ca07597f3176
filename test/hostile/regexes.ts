import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['contract/src', 'client/src', 'server/src'];

/** The pattern and flags of a literal. */
const partsOf = (literal: string): [source: string, flags: string] => {
  const end = literal.lastIndexOf('/');
  return [literal.slice(1, end), literal.slice(end + 1)];
};

const literalsIn = (text: string): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest));
  return found;
};

/** Every regular expression that is written in what is published, once, in order. */
export const readLiterals = async (): Promise<string[]> => {
  const found = new Set<string>();
  for (const folder of SOURCES)
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      for (const literal of literalsIn(await readFile(join(root, folder, name), 'utf8'))) found.add(literal);
    }
  return [...found].sort();
};

/** `linear` where no text can make it slow, else what makes it so. */
export const judge = async (literal: string): Promise<string> => {
  process.env['RECHECK_BACKEND'] = 'pure';
  const { check } = await import('recheck');
  const [source, flags] = partsOf(literal);
  const verdict = await check(source, flags, { timeout: 120_000 });
  if (verdict.status === 'safe') return 'linear';
  return verdict.status === 'vulnerable' ? verdict.complexity.summary : `not known: ${verdict.error.kind}`;
};

/** Judges all of them anew. `bounded` is written by hand: the others that are known, with what keeps their texts short. */
const main = async (): Promise<void> => {
  const file = new URL('regexes.json', import.meta.url);
  const { bounded } = JSON.parse(await readFile(file, 'utf8')) as { bounded: Record<string, string> };
  const linear: string[] = [];
  for (const literal of await readLiterals()) {
    const verdict = await judge(literal);
    if (verdict === 'linear') linear.push(literal);
    else if (!(literal in bounded)) {
      console.error(
        `${literal}\n  is slow for some texts (${verdict}): write it otherwise, or bound its text and say so`,
      );
      process.exitCode = 1;
    }
  }
  await writeFile(file, `${JSON.stringify({ bounded, linear }, null, 2)}\n`);
};
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
