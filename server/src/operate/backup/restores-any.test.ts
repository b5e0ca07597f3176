import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { parseSignedCheckpoint, toBase64 } from '@broker-transparency/log';
import * as fc from 'fast-check';
import type mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken } from '../../features/accounts/actions.ts';
import { blockPerson, listBlocks, replayBlocks } from '../../features/accounts/blocking.ts';
import { findSubject } from '../../features/accounts/facts.ts';
import { erasePerson, followErasures } from '../../features/people/actions.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { publishKeys, type SigningSettings } from '../../ledger/log/checkpoint.ts';
import { folderCopy } from '../../ledger/log/copy.ts';
import { copyLog } from '../../ledger/log/kept-log.ts';
import { newLogKey, readLogKey } from '../../ledger/log/keys.ts';
import { createSigner } from '../../ledger/log/signer.ts';
import { readLogProgress } from '../../ledger/log/standing.ts';
import { readCheckpoint } from '../../ledger/log/store.ts';
import { growTree } from '../../ledger/log/tree.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import { closeDb, connectMongo, type Db, database } from '../../platform/mongo.ts';
import { readConfig, resolveBlockList, resolveErasureList, resolveLogMirror } from '../config.ts';
import { listCollectionNames, makeBackup } from './backup.ts';
import { copyOutside, openLogCopy } from './outside.ts';
import { restoreBackup } from './restore.ts';
import { settleRestored } from './settle.ts';

const ORIGIN = 'ratings.example/transparency/v1/log/a';
/** `pnpm restores:any` takes fifty. */
const STORIES = Number(process.env['RESTORE_STORIES'] ?? 8);
const SILENT = { error: () => {}, warn: () => {}, info: () => {} } as never;

/** What a test empties and fills need not be on the disk. */
const FAST = { writeConcern: { w: 1, j: false } } as const;

let scratch: ScratchDatabase;
let db: Db;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'restores-'));
  await writeFile(join(root, 'log.key'), newLogKey(ORIGIN), { mode: 0o600 });
  scratch = await openScratchDatabase();
  db = await connectMongo(scratch.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await scratch.remove();
  await rm(root, { recursive: true, force: true });
});

/** How data is lost and brought back: what is restored, and what the machine has then. */
const BY_COMMAND = ['restore, same machine', 'restore, empty machine', 'restore, folder of the backup'] as const;
const BY_TOOLS = [
  'mongorestore, same machine',
  'mongorestore, empty machine',
  'mongorestore, folder of the backup',
] as const;
type Loss = (typeof BY_COMMAND | typeof BY_TOOLS)[number];

type Step =
  | { readonly does: 'write' | 'sign' | 'backup' | 'restart' }
  | { readonly does: 'erase' | 'block'; readonly person: number }
  | { readonly does: 'lose'; readonly how: Loss; readonly backup: number; readonly hurries: boolean };

const person = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('write', 'sign') }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('backup', 'restart') }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('erase', 'block'), person }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('lose'),
      how: fc.constantFrom<Loss[]>(...BY_TOOLS),
      backup: fc.nat({ max: 9 }),
      hurries: fc.boolean(),
    }),
  },
);
/** The command makes every collection anew, which takes seconds. */
const lastLoss = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<Loss[]>(...BY_COMMAND) },
  { weight: 2, arbitrary: fc.constantFrom<Loss[]>(...BY_TOOLS) },
);
/** Each story has a backup, something that is done after it, and a loss. */
const story = fc
  .tuple(fc.array(step, { maxLength: 4 }), fc.array(step, { minLength: 2, maxLength: 5 }), lastLoss)
  .map(([before, after, how]): Step[] => [
    ...before,
    { does: 'backup' },
    ...after,
    { does: 'lose', how, backup: 0, hurries: after.length % 2 === 0 },
    { does: 'write' },
    { does: 'sign' },
  ]);

type Dump = Readonly<Record<string, mongoose.mongo.BSON.Document[]>>;

const dumpRaw = async (): Promise<Dump> =>
  Object.fromEntries(
    await Promise.all(
      (await listCollectionNames(db)).map(async (name) => [name, await database(db).collection(name).find().toArray()]),
    ),
  );
const empty = async (): Promise<void> => {
  await Promise.all((await listCollectionNames(db)).map((name) => database(db).collection(name).deleteMany({}, FAST)));
};
const restoreRaw = async (dump: Dump): Promise<void> => {
  await empty();
  const filled = Object.entries(dump).filter(([, rows]) => rows.length > 0);
  await Promise.all(filled.map(([name, rows]) => database(db).collection(name).insertMany(rows, FAST)));
};

interface SavedBackup {
  readonly dir: string;
  readonly dump: Dump;
  readonly folder: string;
  readonly madeAt: number;
}

/** Plays a story, and notes every root that was ever signed, as a mirror of the log would. */
const createWorld = async (name: string, keepsListElsewhere: boolean) => {
  const home = join(root, name);
  const mirror = join(home, 'mirror');
  const key = await readLogKey(join(root, 'log.key'));
  const roots = new Map<number, string>();
  const backups: SavedBackup[] = [];
  const erased = new Map<string, number>();
  const blocked = new Map<string, number>();
  let now = Date.parse('2026-11-24T00:00:00Z');
  let [machines, entries] = [0, 0];
  const clock = (): Date => {
    now += 60_000;
    return new Date(now);
  };
  const context: Context = { actor: { type: 'system', name: 'story' }, clock, db };
  const lists = keepsListElsewhere
    ? { ERASURE_LIST: join(home, 'list.ndjson'), BLOCK_LIST: join(home, 'blocks.ndjson') }
    : {};
  const createConfig = (dataDir: string) => readConfig({ DATA_DIR: dataDir, LOG_KEY: join(root, 'log.key'), ...lists });
  let config = createConfig(join(home, 'machine-0'));
  const startSigner = () => {
    const signing: SigningSettings = { keys: [key], keptIn: resolveLogMirror(config, ORIGIN) };
    return createSigner(db, signing, { clock, log: SILENT });
  };
  let signer = startSigner();

  const noteSigned = async (): Promise<void> => {
    const published = await readCheckpoint(db);
    if (!published) return;
    const { size, root: signed } = parseSignedCheckpoint(published.text).checkpoint;
    expect(roots.get(size) ?? toBase64(signed), `the root of ${size} entries`).toBe(toBase64(signed));
    roots.set(size, toBase64(signed));
    if (size >= Math.max(...roots.keys())) await copyLog(db, mirror, published.text);
  };
  const write = async (): Promise<void> => {
    const id = `regulator/r${entries++}`;
    await inTransaction(context, async ({ publish }) =>
      publish({ kind: 'regulator', key: id, subject: id, value: { code: id } as never, cause: 'fact' }),
    );
    await numberEntries(db, clock);
  };
  const sign = async (): Promise<void> => {
    await growTree(db, clock);
    await signer.sign(await readLogProgress(db));
    await noteSigned();
  };
  /** What a process does when it starts, and all the time. */
  const follow = async (): Promise<void> => {
    await replayBlocks(context, resolveBlockList(config));
    await followErasures(context, resolveErasureList(config));
  };
  const restart = async (): Promise<void> => {
    await signer.stop();
    signer = startSigner();
    await publishKeys(db, [key], clock);
    await follow();
  };
  const findPresent = async (subjects: Iterable<string>): Promise<string[]> => {
    const found: string[] = [];
    for (const subject of subjects) if (await findSubject(db, subject)) found.push(subject);
    return found;
  };
  /** What an operator says about losses that nobody can mend. */
  const forgetSince = (madeAt: number): void => {
    for (const known of [erased, blocked]) for (const [subject, at] of known) if (at > madeAt) known.delete(subject);
  };
  const requirePeople = async (): Promise<void> => {
    expect(await findPresent(erased.keys()), 'erased people who are back').toEqual([]);
    const all = (await listBlocks(db)).flatMap(({ subjects }) => subjects);
    for (const subject of await findPresent(blocked.keys())) expect(all, 'blocked people').toContain(subject);
  };

  const restoreByCommand = async (
    { dir, madeAt }: SavedBackup,
    isSame: boolean,
    listSurvives: boolean,
  ): Promise<void> => {
    const replacing = { everything: isSame, besideServers: false };
    const restore = (isLossAccepted: boolean) =>
      restoreBackup(context, dir, replacing, { lists: [resolveErasureList(config)], isLossAccepted }, () => {});
    const stopped = await restore(false).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (stopped === undefined) return;
    expect(stopped).toContain('may be missing');
    await restore(true);
    if (!listSurvives) forgetSince(madeAt);
  };

  const lose = async ({ how, backup, hurries }: Extract<Step, { does: 'lose' }>): Promise<void> => {
    const saved = backups[backup % Math.max(1, backups.length)];
    if (!saved) return;
    const [tool, machine] = how.split(', ') as [string, string];
    const isSame = machine === 'same machine';
    const listSurvives = isSame || keepsListElsewhere;
    await signer.stop();
    if (!isSame) {
      const folder = join(home, `machine-${++machines}`);
      if (machine === 'folder of the backup') await cp(saved.folder, folder, { recursive: true });
      config = createConfig(folder);
      await empty();
    }
    if (tool === 'restore') {
      await restoreByCommand(saved, isSame, listSurvives);
      await settleRestored(context, config, { backup: saved.dir });
    } else {
      await restoreRaw(saved.dump);
      if (!listSurvives) forgetSince(saved.madeAt);
    }
    if (hurries) {
      await restart(); // before the operator has read what to do
      await write();
      await sign();
      await sign();
      await requirePeople();
    }
    await recover(saved, tool);
  };

  /** Does what the pages for operators say, until the log goes on. */
  const recover = async (saved: SavedBackup, tool: string): Promise<void> => {
    const backup = tool === 'restore' ? saved.dir : undefined;
    const newest = roots.size > 0 ? folderCopy(mirror) : undefined;
    const settle = () => settleRestored(context, config, { backup, newest });
    const first = await settle();
    if (first.failure !== undefined) {
      const { message } = first.failure as Error; // somebody wrote before the entries were back: restore once more
      expect(message).toMatch(/is not the one that was signed|are not those for which|Nothing is signed/);
      await signer.stop();
      await restoreRaw(saved.dump);
      const again = await settle();
      if (roots.size > 0) expect(again.failure).toBeUndefined();
    }
    await numberEntries(db, clock);
    await restart();
    await requirePeople();
    await sign();
  };

  const play = async (one: Step): Promise<void> => {
    if (one.does === 'lose') return lose(one);
    if (one.does === 'write') return write();
    if (one.does === 'sign') return sign();
    if (one.does === 'restart') return restart();
    if (one.does === 'backup') {
      const at = join(home, `backup-${backups.length}`);
      const manifest = await makeBackup(
        context,
        at,
        'test',
        (dir) => copyOutside(db, config, dir),
        () => {},
      );
      const folder = join(home, `folder-${backups.length}`);
      await cp(config.dataDir, folder, { recursive: true, preserveTimestamps: true });
      expect(await openLogCopy(at, ORIGIN).isOld()).toBe((await readCheckpoint(db)) !== undefined);
      backups.push({ dir: at, dump: await dumpRaw(), folder, madeAt: Date.parse(manifest.createdAt) });
      return;
    }
    if (!('person' in one)) return; // every other step is above
    const subject = `person-${one.person}`;
    if (!(await findSubject(db, subject))) return;
    if (one.does === 'erase') {
      await erasePerson(context, subject, 'requested', resolveErasureList(config));
      erased.set(subject, now);
    } else if (!blocked.has(subject)) {
      await blockPerson(context, subject, 'abuse', resolveBlockList(config));
      blocked.set(subject, now);
    }
  };

  return {
    begin: async (): Promise<void> => {
      await empty();
      for (let n = 0; n < 4; n++)
        await createToken(context, {
          subject: `person-${n}`,
          scopes: ['reviews:write'],
          expiresAt: new Date('2027-11-24'),
          reason: 'operator_command',
        });
      await restart();
      await write();
      await sign();
    },
    play,
    end: async (): Promise<void> => {
      await requirePeople();
      await signer.stop();
    },
  };
};

test('no order of backups, writes, erasures, blocks and restores signs two roots of one size, or brings erased people back', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(story, fc.boolean(), async (steps, keepsListElsewhere) => {
      const world = await createWorld(`story-${count++}`, keepsListElsewhere);
      await world.begin();
      for (const one of steps) await world.play(one);
      await world.end();
    }),
    { seed: 20_261_124, numRuns: STORIES, endOnFailure: true },
  );
}, 600_000);
