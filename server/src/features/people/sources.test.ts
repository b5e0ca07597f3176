import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ADMIN_COMMANDS, COMMAND_GROUPS } from '../../operate/cli/commands.ts';
import { listCollections } from '../../platform/mongo.ts';
import { KEPT_COLLECTIONS, PERSONAL_DATA_SOURCES } from './sources.ts';

/** Returns the names of all collections of the service. */
const allCollections = async (): Promise<string[]> => {
  await Promise.all([
    import('../../app.ts'),
    ...[...COMMAND_GROUPS.flatMap(({ commands }) => commands), ...ADMIN_COMMANDS].map(({ load }) => load()),
  ]);
  return listCollections();
};

/** Every collection either holds data about people, which is exported and erased, or is listed as kept. */
test('every collection belongs to exactly one source or to the kept collections', async () => {
  const spokenFor = [...PERSONAL_DATA_SOURCES.flatMap(({ collections }) => collections), ...KEPT_COLLECTIONS];
  expect(spokenFor.sort()).toEqual((await allCollections()).sort());
});

interface Role {
  readonly createRole: string;
  readonly privileges: readonly {
    readonly resource: { readonly collection: string };
    readonly actions: readonly string[];
  }[];
}

/** What the server may do to collections of which it removes nothing. */
const KEPT_FOR_EVER: Readonly<Record<string, readonly string[]>> = {
  audit: ['insert'],
  enterpriseAccesses: ['insert'],
  logHeads: ['insert', 'update'],
  logKeys: ['insert', 'update'],
  logTiles: ['insert', 'update'],
  operatorTokens: ['insert', 'update'],
  operators: ['insert', 'update'],
  proberDays: ['insert', 'update'],
  probers: ['insert', 'update'],
  recordDays: ['insert', 'update'],
  recordEntries: ['insert', 'update'],
  recordHeads: ['insert', 'update'],
};

/** The server of a real service never marks its database as a demo, and cannot. */
const NEVER_WRITTEN: ReadonlySet<string> = new Set(['demoMarks']);

test("the server's role in MongoDB writes every collection, and removes nothing from the audit trail and the record", async () => {
  const file = new URL('../../../../ops/deploy/mongodb/roles.json', import.meta.url);
  const roles: readonly Role[] = JSON.parse(await readFile(file, 'utf8'));
  const { privileges = [] } = roles.find(({ createRole }) => createRole === 'brokerRatingServer') ?? {};
  const granted = privileges.filter(({ resource }) => resource.collection !== '');
  const written = (await allCollections()).filter((name) => !NEVER_WRITTEN.has(name));
  expect(granted.map(({ resource }) => resource.collection).sort()).toEqual(written.sort());
  for (const { resource, actions } of granted)
    expect(actions, resource.collection).toEqual(KEPT_FOR_EVER[resource.collection] ?? ['insert', 'update', 'remove']);
});
