import { readFile } from 'node:fs/promises';
import { openSloObjects, openSloYaml } from '@broker-transparency/kernel';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

test('the OpenSLO document is the one that the objectives make (npx -y pnpm docs:write), and is YAML', async () => {
  const text = await readFile(new URL('../../docs/enterprise/service-level.openslo.yaml', import.meta.url), 'utf8');
  expect(text).toBe(openSloYaml());
  const documents = parseAllDocuments(text);
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  expect(documents.map((document) => document.toJS())).toEqual(openSloObjects());
});
