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
import { type LogKey, newLogKey, readLogKey } from '../../ledger/log/keys.ts';
import { createSigner } from '../../ledger/log/signer.ts';
import { readLogProgress } from '../../ledger/log/standing.ts';
import { readCheckpoint } from '../../ledger/log/store.ts';
import { growTree } from '../../ledger/log/tree.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import { closeDb, connectMongo, type Db, database } from '../../platform/mongo.ts';
import { type Config, readConfig, resolveBlockList, resolveErasureList, resolveLogMirror } from '../config.ts';
import { listCollectionNames, makeBackup } from './backup.ts';
import { copyOutside, openLogCopy } from './outside.ts';
import { restoreBackup } from './restore.ts';
import { settleRestored } from './settle.ts';

const ORIGIN = 'ratings.example/transparency/v1/log/a';
/** `pnpm restores:any` takes fifty. */
const STORIES = Number(process.env['RESTORE_STORIES'] ?? 8);
const SILENT = { error: () => {}, warn: () => {}, info: () => {} } as never;

/** Tests empty and fill collections without waiting for the disk. */
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

/** Ways to lose data and bring it back: the tool that restores, and the machine that is left. */
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
class RestoreStory {
  readonly #home: string;
  readonly #mirror: string;
  readonly #key: LogKey;
  readonly #keepsListElsewhere: boolean;
  readonly #context: Context;
  readonly #roots = new Map<number, string>();
  readonly #backups: SavedBackup[] = [];
  readonly #erased = new Map<string, number>();
  readonly #blocked = new Map<string, number>();
  #now = Date.parse('2026-11-24T00:00:00Z');
  #machines = 0;
  #entries = 0;
  #config: Config;
  #signer: ReturnType<typeof createSigner>;

  constructor(name: string, key: LogKey, keepsListElsewhere: boolean) {
    this.#home = join(root, name);
    this.#mirror = join(this.#home, 'mirror');
    this.#key = key;
    this.#keepsListElsewhere = keepsListElsewhere;
    this.#context = { actor: { type: 'system', name: 'story' }, clock: this.#clock, db };
    this.#config = this.#createConfig(join(this.#home, 'machine-0'));
    this.#signer = this.#startSigner();
  }

  readonly #clock = (): Date => {
    this.#now += 60_000;
    return new Date(this.#now);
  };

  #createConfig(dataDir: string): Config {
    const lists = this.#keepsListElsewhere
      ? { ERASURE_LIST: join(this.#home, 'list.ndjson'), BLOCK_LIST: join(this.#home, 'blocks.ndjson') }
      : {};
    return readConfig({ DATA_DIR: dataDir, LOG_KEY: join(root, 'log.key'), ...lists });
  }

  #startSigner() {
    const signing: SigningSettings = { keys: [this.#key], keptIn: resolveLogMirror(this.#config, ORIGIN) };
    return createSigner(db, signing, { clock: this.#clock, log: SILENT });
  }

  async begin(): Promise<void> {
    await empty();
    for (let n = 0; n < 4; n++)
      await createToken(this.#context, {
        subject: `person-${n}`,
        scopes: ['reviews:write'],
        expiresAt: new Date('2027-11-24'),
        reason: 'operator_command',
      });
    await this.#restart();
    await this.#write();
    await this.#sign();
  }

  async play(one: Step): Promise<void> {
    if (one.does === 'lose') return this.#lose(one);
    if (one.does === 'write') return this.#write();
    if (one.does === 'sign') return this.#sign();
    if (one.does === 'restart') return this.#restart();
    if (one.does === 'backup') return this.#backUp();
    if (!('person' in one)) return; // every other step is above
    const subject = `person-${one.person}`;
    if (!(await findSubject(db, subject))) return;
    if (one.does === 'erase') {
      await erasePerson(this.#context, subject, 'requested', resolveErasureList(this.#config));
      this.#erased.set(subject, this.#now);
    } else if (!this.#blocked.has(subject)) {
      await blockPerson(this.#context, subject, 'abuse', resolveBlockList(this.#config));
      this.#blocked.set(subject, this.#now);
    }
  }

  async end(): Promise<void> {
    await this.#requirePeople();
    await this.#signer.stop();
  }

  async #noteSigned(): Promise<void> {
    const published = await readCheckpoint(db);
    if (!published) return;
    const { size, root: signed } = parseSignedCheckpoint(published.text).checkpoint;
    expect(this.#roots.get(size) ?? toBase64(signed), `the root of ${size} entries`).toBe(toBase64(signed));
    this.#roots.set(size, toBase64(signed));
    if (size >= Math.max(...this.#roots.keys())) await copyLog(db, this.#mirror, published.text);
  }

  async #write(): Promise<void> {
    const id = `regulator/r${this.#entries++}`;
    await inTransaction(this.#context, async ({ publish }) =>
      publish({ kind: 'regulator', key: id, subject: id, value: { code: id } as never, cause: 'fact' }),
    );
    await numberEntries(db, this.#clock);
  }

  async #sign(): Promise<void> {
    await growTree(db, this.#clock);
    await this.#signer.sign(await readLogProgress(db));
    await this.#noteSigned();
  }

  /** Does the work that a process does at its start and all the time. */
  async #follow(): Promise<void> {
    await replayBlocks(this.#context, resolveBlockList(this.#config));
    await followErasures(this.#context, resolveErasureList(this.#config));
  }

  async #restart(): Promise<void> {
    await this.#signer.stop();
    this.#signer = this.#startSigner();
    await publishKeys(db, [this.#key], this.#clock);
    await this.#follow();
  }

  async #findPresent(subjects: Iterable<string>): Promise<string[]> {
    const found: string[] = [];
    for (const subject of subjects) if (await findSubject(db, subject)) found.push(subject);
    return found;
  }

  /** Forgets the people whose erasure or block was lost for good, as an operator accepts. */
  #forgetSince(madeAt: number): void {
    for (const known of [this.#erased, this.#blocked])
      for (const [subject, at] of known) if (at > madeAt) known.delete(subject);
  }

  async #requirePeople(): Promise<void> {
    expect(await this.#findPresent(this.#erased.keys()), 'erased people who are back').toEqual([]);
    const all = (await listBlocks(db)).flatMap(({ subjects }) => subjects);
    for (const subject of await this.#findPresent(this.#blocked.keys()))
      expect(all, 'blocked people').toContain(subject);
  }

  async #restoreByCommand({ dir, madeAt }: SavedBackup, isSame: boolean, listSurvives: boolean): Promise<void> {
    const replacing = { everything: isSame, besideServers: false };
    const restore = (isLossAccepted: boolean) =>
      restoreBackup(
        this.#context,
        dir,
        replacing,
        { lists: [resolveErasureList(this.#config)], isLossAccepted },
        () => {},
      );
    const stopped = await restore(false).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (stopped === undefined) return;
    expect(stopped).toContain('may be missing');
    await restore(true);
    if (!listSurvives) this.#forgetSince(madeAt);
  }

  async #backUp(): Promise<void> {
    const at = join(this.#home, `backup-${this.#backups.length}`);
    const manifest = await makeBackup(
      this.#context,
      at,
      'test',
      (dir) => copyOutside(db, this.#config, dir),
      () => {},
    );
    const folder = join(this.#home, `folder-${this.#backups.length}`);
    await cp(this.#config.dataDir, folder, { recursive: true, preserveTimestamps: true });
    expect(await openLogCopy(at, ORIGIN).isOld()).toBe((await readCheckpoint(db)) !== undefined);
    this.#backups.push({ dir: at, dump: await dumpRaw(), folder, madeAt: Date.parse(manifest.createdAt) });
  }

  async #lose({ how, backup, hurries }: Extract<Step, { does: 'lose' }>): Promise<void> {
    const saved = this.#backups[backup % Math.max(1, this.#backups.length)];
    if (!saved) return;
    const [tool, machine] = how.split(', ') as [string, string];
    const isSame = machine === 'same machine';
    const listSurvives = isSame || this.#keepsListElsewhere;
    await this.#signer.stop();
    if (!isSame) {
      const folder = join(this.#home, `machine-${++this.#machines}`);
      if (machine === 'folder of the backup') await cp(saved.folder, folder, { recursive: true });
      this.#config = this.#createConfig(folder);
      await empty();
    }
    if (tool === 'restore') {
      await this.#restoreByCommand(saved, isSame, listSurvives);
      await settleRestored(this.#context, this.#config, { backup: saved.dir });
    } else {
      await restoreRaw(saved.dump);
      if (!listSurvives) this.#forgetSince(saved.madeAt);
    }
    if (hurries) {
      await this.#restart(); // before the operator has read what to do
      await this.#write();
      await this.#sign();
      await this.#sign();
      await this.#requirePeople();
    }
    await this.#recover(saved, tool);
  }

  /** Does what the pages for operators say, until the log goes on. */
  async #recover(saved: SavedBackup, tool: string): Promise<void> {
    const backup = tool === 'restore' ? saved.dir : undefined;
    const newest = this.#roots.size > 0 ? folderCopy(this.#mirror) : undefined;
    const settle = () => settleRestored(this.#context, this.#config, { backup, newest });
    const first = await settle();
    if (first.failure !== undefined) {
      const { message } = first.failure as Error; // somebody wrote before the entries were back: restore once more
      expect(message).toMatch(/is not the one that was signed|are not those for which|Nothing is signed/);
      await this.#signer.stop();
      await restoreRaw(saved.dump);
      const again = await settle();
      if (this.#roots.size > 0) expect(again.failure).toBeUndefined();
    }
    await numberEntries(db, this.#clock);
    await this.#restart();
    await this.#requirePeople();
    await this.#sign();
  }
}

test('no order of backups, writes, erasures, blocks and restores signs two roots of one size, or brings erased people back', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(story, fc.boolean(), async (steps, keepsListElsewhere) => {
      const restoreStory = new RestoreStory(
        `story-${count++}`,
        await readLogKey(join(root, 'log.key')),
        keepsListElsewhere,
      );
      await restoreStory.begin();
      for (const one of steps) await restoreStory.play(one);
      await restoreStory.end();
    }),
    { seed: 20_261_124, numRuns: STORIES, endOnFailure: true },
  );
}, 600_000);
