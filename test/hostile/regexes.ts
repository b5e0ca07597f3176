import { globSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AttackPattern } from 'recheck';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = ['contract/src', 'client/src', 'server/src', ...globSync('packages/*/src', { cwd: root })];

/** The pattern and flags of a literal. */
const splitLiteral = (literal: string): [source: string, flags: string] => {
  const end = literal.lastIndexOf('/');
  return [literal.slice(1, end), literal.slice(end + 1)];
};

const findLiterals = (text: string): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest));
  return found;
};

/** Every regular expression literal in the published sources, without duplicates, sorted. */
export const readLiterals = async (): Promise<string[]> => {
  const found = new Set<string>();
  for (const folder of SOURCES)
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      for (const literal of findLiterals(await readFile(join(root, folder, name), 'utf8'))) found.add(literal);
    }
  return [...found].sort();
};

/** The text that recheck considers slow, with about `length` characters. */
const buildExample = ({ pumps, suffix }: AttackPattern, length: number): string => {
  const times = Math.ceil(length / pumps.reduce((sum, { pump }) => sum + pump.length, 0));
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
};

/**
 * Returns true for an example that is slow in practice. For this length a quadratic expression takes many seconds, and
 * a linear one a few milliseconds.
 */
const isSlow = (expression: RegExp, attack: AttackPattern): boolean => {
  const example = buildExample(attack, 60_000);
  const start = performance.now();
  expression.exec(example);
  return performance.now() - start > 1000;
};

/**
 * `linear` if no text makes the expression slow, else its complexity. A verdict that recheck only found by fuzzing is
 * verified by running its example.
 */
export const judge = async (literal: string): Promise<string> => {
  process.env['RECHECK_BACKEND'] = 'pure';
  const { check } = await import('recheck');
  const [source, flags] = splitLiteral(literal);
  const verdict = await check(source, flags, { timeout: 120_000, randomSeed: 1 });
  if (verdict.status === 'safe') return 'linear';
  if (verdict.status === 'unknown') return `not known: ${verdict.error.kind}`;
  const isGuess = verdict.checker === 'fuzz' && !isSlow(new RegExp(source, flags), verdict.attack);
  return isGuess ? 'linear' : verdict.complexity.summary;
};

/**
 * Judges all expressions and rewrites the list. `bounded` is maintained by hand: it names the slow ones and what keeps
 * their texts short.
 */
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
