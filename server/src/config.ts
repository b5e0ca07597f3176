import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

/** In full: "100" would else be the address 0.0.0.100. Of a range of all addresses Express wants nothing to know. */
const isAddress = (text: string): boolean => {
  const [address = '', bits] = text.split('/', 2);
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  return bits === undefined || (ipaddr.isValidCIDR(text) && Number(bits) > 0);
};

/** How many proxies stand in front, or which addresses they have. Off unless said. */
const trustProxy = z.string().transform((text, ctx) => {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const addresses = text.split(',').map((part) => part.trim());
  if (addresses.every((address) => ['loopback', 'linklocal', 'uniquelocal'].includes(address) || isAddress(address)))
    return addresses;
  ctx.addIssue({
    code: 'custom',
    message: 'must be a number of proxies or addresses such as 10.0.0.0/8, joined by commas',
  });
  return z.NEVER;
});

/** With a host at least; of several hosts the first one is looked at. */
const isUrl = (text: string): boolean => {
  const url = URL.parse(text.replace(/,[^/]*/, ''));
  return url !== null && url.hostname !== '' && !/\s/.test(text);
};

const url = (protocols: RegExp, example: string) =>
  z.string().refine((text) => protocols.test(text) && isUrl(text), `must be like ${example}`);

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const Environment = z.object({
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: url(/^https?:\/\/[^?#]+$/, 'https://ratings.example')
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .transform((path) => resolve(path)),
  MONGODB_URL: url(/^mongodb(\+srv)?:\/\//, 'mongodb://127.0.0.1:27017/ratings?replicaSet=rs0').optional(),
  REDIS_URL: url(/^rediss?:\/\//, 'redis://127.0.0.1:6379').optional(),
  PUBLIC_RATE_LIMIT: integer(1, 1_000_000).default(60),
  TRUST_PROXY: trustProxy.default(0),
  JOBS: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .transform((text) => text === 'on'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  MONGOD_BINARY: z.string().min(1).optional(),
  XDG_CACHE_HOME: z.string().min(1).default(join(homedir(), '.cache')),
});

/** Addresses that may hold a password: a log must not get to see it. */
const SECRET = new Set(['MONGODB_URL', 'REDIS_URL']);

/** A setting that cannot be used. The message names the variable. */
export class ConfigError extends Error {}

/** Everything the environment decides. Nothing else reads it. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. An empty variable counts as not set. @throws ConfigError naming every wrong variable */
export const readConfig = (env: NodeJS.ProcessEnv) => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(set);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name} ${issue.message}${SECRET.has(name) ? '' : ` (it is ${JSON.stringify(set[name])})`}`;
    });
    throw new ConfigError(lines.join('; '));
  }
  const { data } = result;
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    mongodbUrl: data.MONGODB_URL,
    redisUrl: data.REDIS_URL,
    publicRateLimit: data.PUBLIC_RATE_LIMIT,
    trustProxy: data.TRUST_PROXY,
    jobs: data.JOBS,
    logLevel: data.LOG_LEVEL,
    mongodBinary: data.MONGOD_BINARY,
    cacheDir: join(data.XDG_CACHE_HOME, 'broker-transparency'),
  };
};
