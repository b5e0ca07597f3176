import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MODULES } from '../src/modules.ts';

/** A role of MongoDB, as `createRole` takes it. */
interface MongoRole {
  readonly createRole: string;
  privileges: { readonly resource: { db: string; collection: string }; readonly actions: readonly string[] }[];
}

const FILE = new URL('../../ops/deploy/mongodb/roles.json', import.meta.url);
const ALL_WRITES = ['insert', 'update', 'remove'];

/** Writes what the server may do to each collection into the file of roles. The other roles stay. */
const roles: MongoRole[] = JSON.parse(readFileSync(FILE, 'utf8'));
const server = roles.find(({ createRole }) => createRole === 'brokerRatingServer');
if (!server) throw new Error(`${FILE.pathname} has no role brokerRatingServer`);
const rules = MODULES.flatMap(({ collections = {} }) => Object.entries(collections));
server.privileges = [
  ...server.privileges.filter(({ resource }) => resource.collection === ''),
  ...rules
    .map(([collection, { writes = ALL_WRITES }]) => ({ resource: { db: 'ratings', collection }, actions: writes }))
    .filter(({ actions }) => actions.length > 0)
    .sort((a, b) => (a.resource.collection < b.resource.collection ? -1 : 1)),
];
writeFileSync(FILE, JSON.stringify(roles));
execFileSync('biome', ['format', '--write', fileURLToPath(FILE)]);
