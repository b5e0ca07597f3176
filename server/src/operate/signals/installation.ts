import { readLogState } from '../../ledger/log/state.ts';
import { readDrift } from '../../platform/clock-drift.ts';
import { parseConnection } from '../../platform/mail/connection.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import { connectRedis } from '../../platform/redis.ts';
import { type Config, describeDatabase } from '../config.ts';
import { describeOperator } from '../operator-settings.ts';

/** The parts that an installation uses, each in one line and without secrets. */
export interface Installation {
  readonly database: string;
  readonly redis: string;
  readonly clock: string;
  readonly log: string;
  readonly mail: string;
  /** Who answers for the service, and the settings that a public one lacks. */
  readonly operator: string;
}

/** Time in milliseconds in which Redis has to answer. */
const REDIS_MS = 2000;

const isRedisReachable = async (url: string): Promise<boolean> => {
  const redis = connectRedis(url, () => {}); // the row shows that Redis cannot be reached
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, REDIS_MS, false);
  });
  const ready = new Promise<void>((resolve) => redis.once('ready', resolve));
  const answered = ready
    .then(() => redis.ping())
    .then(
      () => true,
      () => false,
    );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
    redis.disconnect();
  }
};

const describeRedis = async (url: string | undefined): Promise<string> => {
  if (url === undefined) return 'none: each process counts requests for itself';
  return `${new URL(url).host}, ${(await isRedisReachable(url)) ? 'answers' : 'does not answer'}`;
};

const describeClock = async (db: Db, now: Date): Promise<string> => {
  const drift = await readDrift(db);
  return `${now.toISOString()}, ${Math.abs(drift).toFixed(1)} s ${drift < 0 ? 'behind' : 'ahead of'} the database`;
};

const describeLog = async (db: Db, now: Date): Promise<string> => {
  const { checkpoint, entries } = await readLogState(db, now);
  if (!checkpoint) return `not signed, ${entries} entries`;
  return `${checkpoint.origin}, ${checkpoint.size} of ${entries} entries signed, at ${checkpoint.signedAt.toISOString()}`;
};

const describeMail = ({ mail }: Pick<Config, 'mail'>): string => {
  if (!mail) return 'none: SMTP_URL is not set';
  const { host, port } = parseConnection(mail.url);
  return `${host}:${port}, from ${mail.from}`;
};

/** Reads the parts that this installation uses. */
export const readInstallation = async (db: Db, config: Config, now: Date): Promise<Installation> => {
  const [redis, clock, log] = await Promise.all([
    describeRedis(config.redisUrl),
    describeClock(db, now),
    describeLog(db, now),
  ]);
  const operator = describeOperator(config.publicUrl, config.operator);
  return { database: describeDatabase(config), redis, clock, log, mail: describeMail(config), operator };
};
