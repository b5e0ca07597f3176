import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptPromises, brokenAnswers, brokenTypes, TYPED } from './promises.ts';

/**
 * Accepts deliberately what `stability.test.ts` refuses: writes a new baseline, and a changeset that informs users.
 * With --release, the current build becomes the baseline unconditionally.
 */

const ROOT = join(import.meta.dirname, '../..');

const changeset = (breaks: readonly string[], bump: string): string =>
  [
    '---',
    ...TYPED.map((name) => `'@broker-transparency/${name}': ${bump}`),
    '---',
    '',
    'Breaking:',
    '',
    ...breaks.map((one) => `- ${one}`),
    '',
  ].join('\n');

const breaksNow = async (): Promise<string[]> => {
  const found = await brokenAnswers();
  for (const name of TYPED) found.push(...(await brokenTypes(name)));
  return found;
};

const breaks = process.argv.includes('--release') ? [] : await breaksNow();
if (breaks.length > 0) {
  const { version } = JSON.parse(await readFile(join(ROOT, 'client/package.json'), 'utf8'));
  // Before 1.0.0 a minor version may break, as caret ranges expect.
  const text = changeset(breaks, version.startsWith('0.') ? 'minor' : 'major');
  const file = `.changeset/breaking-${Date.now().toString(36)}.md`;
  await writeFile(join(ROOT, file), text);
  console.log(`${file} says what breaks. Add there what users do instead.`);
}
await acceptPromises();
console.log('test/packages/released holds what is promised from now on.');
