import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acceptPromises, brokenAnswers, brokenTypes, TYPED } from './promises.ts';

/* Accepts deliberately what `stability.test.ts` refuses: a new baseline, and a changeset that tells users. */

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

// without a baseline, everything is promised for the first time
const breaks = (await Promise.all([...TYPED.map(brokenTypes), brokenAnswers()]).catch(() => [])).flat();
if (breaks.length > 0) {
  const { version } = JSON.parse(await readFile(join(ROOT, 'client/package.json'), 'utf8'));
  // before 1.0.0 a minor version may break, as caret ranges expect
  const text = changeset(breaks, version.startsWith('0.') ? 'minor' : 'major');
  const file = `.changeset/breaking-${Date.now().toString(36)}.md`;
  await writeFile(join(ROOT, file), text);
  console.log(`${file} says what breaks. Say there what users do instead.`);
}
await acceptPromises();
console.log('test/packages/released holds what is promised from now on.');
