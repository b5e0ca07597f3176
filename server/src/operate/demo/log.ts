import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type LogKey, newLogKey, readLogKey } from '../../ledger/log/keys.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import type { Config } from '../config.ts';
import type { ProcessParts } from '../process/parts.ts';
import { changeMark, type DemoMark, readMark } from './mark.ts';
import { startWitness } from './witness.ts';

/** Prefix of the names of all demos' keys. */
const PREFIX = 'fictional-demo-';

/** Returns the name of a demo's log. No other database accepts it, since each demo has its own. */
const toLogName = ({ id }: DemoMark): string => `${PREFIX}${id}.example/transparency/v1/log/demo`;

/** @throws DomainError invalid_setting if only one of key and database belongs to a demo */
export const requireOwnKeys = async (db: Db, keys: readonly LogKey[]): Promise<void> => {
  const mark = await readMark(db);
  const wrong = keys.find(({ name }) => (mark ? name !== toLogName(mark) : name.startsWith(PREFIX)));
  if (wrong)
    throw new DomainError(
      'invalid_setting',
      `LOG_KEY is for the log ${wrong.name}, ${mark ? 'and a demo has a key of its own' : 'which is that of a demo'}.`,
    );
};

/** Reads a key, and makes one if there is none. */
const readOrMakeKey = async (file: string, name: string): Promise<LogKey> => {
  if (!existsSync(file)) await replaceFile(file, newLogKey(name));
  return readLogKey(file);
};

/** @throws DomainError invalid_setting if settings name the log of a real service */
export const requireNoLog = ({ logKeys, logWitnesses, logSigner }: Config): void => {
  if (logKeys.length > 0 || logWitnesses !== undefined || logSigner === 'apart')
    throw new DomainError(
      'invalid_setting',
      '--demo is refused beside LOG_KEY, LOG_WITNESSES and LOG_SIGNER: a demo makes the key of its log and a witness itself.',
    );
};

/**
 * Makes or reads the key of a demo's log, in a folder of DATA_DIR, and starts a witness on this machine. Returns the
 * settings with both.
 * @throws DomainError state_conflict if the key lies in another DATA_DIR
 */
export const openDemoLog = async (
  db: Db,
  mark: DemoMark,
  config: Config,
  { closers }: Pick<ProcessParts, 'closers'>,
): Promise<Config> => {
  const folder = join(config.dataDir, 'demo');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'log.key');
  const key = await readOrMakeKey(file, toLogName(mark));
  if (key.name !== toLogName(mark))
    throw new DomainError('state_conflict', `${file} is the key of another demo: start on another DATA_DIR.`);
  if (mark.verifierKey === undefined) await changeMark(db, mark, { verifierKey: key.verifierKey });
  else if (mark.verifierKey !== key.verifierKey)
    throw new DomainError(
      'state_conflict',
      `The log of this demo has another key than ${file}. ` +
        'Start on the DATA_DIR in which the demo was made, or on an empty MONGODB_URL.',
    );
  const witness = await startWitness({
    key: await readOrMakeKey(join(folder, 'witness.key'), `${PREFIX}${mark.id}.example/witness`),
    log: key.verifierKey,
    seenIn: join(folder, 'witness.json'),
  });
  closers.add(witness.close);
  const policy = join(folder, 'witnesses.policy');
  await replaceFile(policy, `witness local ${witness.verifierKey} ${witness.url}\nquorum local\n`);
  return { ...config, logKeys: [file], logWitnesses: policy };
};
