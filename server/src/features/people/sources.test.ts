import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadModels, MODULES } from '../../modules.ts';
import { COMMANDS } from '../../operate/cli/commands.ts';
import { listCollections } from '../../platform/mongo.ts';
import { loadSources } from './sources.ts';

const RULES = new Map(MODULES.flatMap(({ collections = {} }) => Object.entries(collections)));

test('every collection has its rules in exactly one module, which loads its model', async () => {
  const declared = MODULES.flatMap(({ collections = {} }) => Object.keys(collections)).sort();
  await loadModels();
  expect(listCollections().sort()).toEqual(declared);
  await Promise.all([import('../../app.ts'), ...COMMANDS.map(({ load }) => load())]);
  expect(listCollections().sort()).toEqual(declared);
});

test('a module that declares data to be erased has a source that exports and erases it, and no other has one', async () => {
  const holds = MODULES.filter(({ collections = {} }) =>
    Object.values(collections).some(({ people }) => people === 'erased'),
  );
  expect(MODULES.filter(({ personalData }) => personalData !== undefined)).toEqual(holds);
  expect(await loadSources()).toHaveLength(holds.length);
});

interface Role {
  readonly createRole: string;
  readonly privileges: readonly {
    readonly resource: { readonly collection: string };
    readonly actions: readonly string[];
  }[];
}

test("the server's role in MongoDB writes every collection, and removes nothing from the audit trail and the record", async () => {
  const file = new URL('../../../../ops/deploy/mongodb/roles.json', import.meta.url);
  const roles: readonly Role[] = JSON.parse(await readFile(file, 'utf8'));
  const { privileges = [] } = roles.find(({ createRole }) => createRole === 'brokerRatingServer') ?? {};
  const granted = privileges.filter(({ resource }) => resource.collection !== '');
  await loadModels();
  const written = listCollections().filter((name) => RULES.get(name)?.writes?.length !== 0);
  expect(granted.map(({ resource }) => resource.collection).sort()).toEqual(written.sort());
  for (const { resource, actions } of granted)
    expect(actions, resource.collection).toEqual(
      RULES.get(resource.collection)?.writes ?? ['insert', 'update', 'remove'],
    );
});
