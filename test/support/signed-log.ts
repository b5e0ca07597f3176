import { createPrivateKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { formatCheckpoint, signNote } from '@broker-transparency/log';
import type { Mode } from '@broker-transparency/server';
import { inDatabase } from './database.ts';
import { createScratch, type Scratch } from './files.ts';
import { succeeded } from './filled-service.ts';
import { createLogReader, type LogReader, type ReadCheckpoint } from './log-reader.ts';
import { runBeside, type Service, type Settings } from './process.ts';
import { untilLogged } from './record.ts';
import { type LocalService, startService } from './service.ts';
import { until } from './until.ts';

/** Address of the log of tests, as its checkpoints name it. */
export const ORIGIN = `ratings.example${TRANSPARENCY_BASE_PATH}/log/a`;

/** A key of a log, made by the command. */
export interface TestKey {
  readonly file: string;
  readonly verifierKey: string;
}

export const newLogKey = async (scratch: Scratch, name: string, origin = ORIGIN): Promise<TestKey> => {
  const file = scratch.file(name);
  const printed = succeeded(await runBeside(['admin', 'log', 'new-key', origin, file], {}));
  return { file, verifierKey: printed.trim() };
};

/** Returns the secret part of a key's file. */
export const readSecret = async ({ file }: TestKey): Promise<string> => {
  const [, secret] = /^PRIVATE\+KEY\+[^+]+\+[0-9a-f]{8}\+(\S{40,})\n$/.exec(await readFile(file, 'utf8')) ?? [];
  if (secret === undefined) throw new Error(`${file} has another form`);
  return secret;
};

/** Signs a checkpoint with the key in a file, as only the log itself should. */
export const signCheckpoint = async (file: string, { size, root }: { size: number; root: Buffer }): Promise<string> => {
  const [, , name = '', id = '', ...encoded] = (await readFile(file, 'utf8')).trim().split('+');
  const seed = Buffer.from(encoded.join('+'), 'base64').subarray(1);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const signer = { name, keyId: Number.parseInt(id, 16), sign: (text: Uint8Array) => sign(null, text, privateKey) };
  return signNote(formatCheckpoint({ origin: name, size, root, extensions: [] }), [signer]);
};

/** The policy of a reader who trusts one key, and no witnesses. */
export const createPolicy = ({ verifierKey }: TestKey): string => `log ${verifierKey}\nquorum none\n`;

export const createReader = ({ origin }: Pick<Service, 'origin'>, name = 'a'): LogReader =>
  createLogReader(`${origin}${TRANSPARENCY_BASE_PATH}/log/${name}`);

/** Waits until a checkpoint covers `size` entries. The next one comes ten seconds after the last. */
export const untilSigned = (reader: LogReader, size: number): Promise<ReadCheckpoint> =>
  until(`a checkpoint covers ${size} entries`, 45_000, async () => {
    const checkpoint = await reader.checkpoint();
    return checkpoint !== undefined && checkpoint.size >= size && checkpoint;
  });

/** Lets a service in this process catch up at once. */
const settleService = async (service: Service | LocalService): Promise<void> => {
  if ('settle' in service) await service.settle();
};

/** Waits until a checkpoint covers every entry. The checkpoint comes at once, as if the last one were old. */
export const untilAllSigned = async (service: Service | LocalService, name = 'a'): Promise<ReadCheckpoint> => {
  await settleService(service);
  const size = await inDatabase(service, async (db) => {
    await untilLogged(db);
    const heads = db.collection('logHeads');
    const size = (await heads.findOne({ _id: 'tree' as never }))?.['size'] as number;
    // a checkpoint signed meanwhile covers everything and keeps its time: no other follows
    await heads.updateOne({ _id: 'checkpoint' as never, size: { $lt: size } }, { $set: { signedAt: new Date(0) } });
    return size;
  });
  await settleService(service);
  return untilSigned(createReader(service, name), size);
};

/** Does something while no further checkpoint is signed: the last one is always new to the signer. */
export const withoutNewCheckpoints = <T>(service: Service, work: () => Promise<T>): Promise<T> =>
  inDatabase(service, async (db) => {
    const renew = () =>
      db.collection('logHeads').updateOne({ _id: 'checkpoint' as never }, { $set: { signedAt: new Date() } });
    let renewed = renew();
    await renewed;
    const timer = setInterval(() => {
      renewed = renew();
    }, 1000);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await renewed;
    }
  });

/** The output of `log show --json`. */
export interface LogState {
  readonly entries: number;
  readonly waiting: number;
  readonly logged: number;
  readonly checkpoint: { readonly origin: string; readonly size: number; readonly signedAt: string } | null;
  readonly hold?: {
    readonly number: number;
    readonly size: number;
    readonly key: string;
    readonly why: string;
    readonly since: string;
  };
  readonly refusals: readonly { readonly why: string; readonly since: string }[];
  readonly witnesses?: {
    readonly cosigned: number;
    readonly known: number;
    readonly witnessed?: { readonly size: number; readonly since: string };
    readonly each: readonly {
      readonly name: string;
      readonly cosigned?: { readonly size: number; readonly at: string; readonly signedAt: string };
      readonly failed?: {
        readonly why: string;
        readonly at: string;
        readonly since: string;
        readonly contradicts: boolean;
      };
    }[];
  };
}

export const readLogState = async (service: Service): Promise<LogState> =>
  JSON.parse(succeeded(await service.cli('log', 'show', '--json')));

/** Waits until the log stops, and returns the number before which it does. A server must run. */
export const untilHeld = (service: Service): Promise<number> =>
  until('the log stops', 20_000, async () => (await readLogState(service)).hold?.number);

/** A service with a key for its log, and with a folder for the files that its commands read. */
export interface LogService {
  readonly scratch: Scratch;
  readonly key: TestKey;
  readonly service: LocalService;
  readonly reader: LogReader;
  /** Ends the service and removes everything. */
  readonly remove: () => Promise<void>;
}

/** Starts a service that signs its log, unless the settings have no `LOG_KEY`. */
export const startLogService = async (settings: Settings = {}, mode: Partial<Mode> = {}): Promise<LogService> => {
  const scratch = await createScratch();
  const key = await newLogKey(scratch, 'log.key');
  const service = await startService({ LOG_KEY: key.file, ...settings }, mode);
  return {
    scratch,
    key,
    service,
    reader: createReader(service),
    remove: async () => {
      await service.remove();
      await scratch.remove();
    },
  };
};
