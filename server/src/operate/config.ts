import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { COMPLAINT_LIMIT, LIMITS } from '@broker-transparency/contract';
import ipaddr from 'ipaddr.js';
import proxyaddr from 'proxy-addr';
import * as z from 'zod';
import { addressIn, mailAddress } from '../features/notices/address.rule.ts';
import { NOTICE_LANGUAGES } from '../features/notices/languages.rule.ts';
import { webhookKey } from '../http/auth/signature.rule.ts';
import { findNearestName } from '../http/problem/invalid-request.ts';
import { logName } from '../ledger/log/name.rule.ts';
import { DomainError } from '../platform/domain-error.ts';
import { parseConnection } from '../platform/mail/connection.rule.ts';
import { isNetwork } from '../platform/outbound/addresses.ts';
import { contact, OperatorSettings, toOperator } from './operator-settings.ts';
import { SignInSettings, toSignIn } from './sign-in-settings.ts';

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

/** Checks for an address or network that Express accepts. IPv4 needs all four parts: "100" would mean 0.0.0.100. */
const isAddress = (text: string): boolean => {
  const [address = ''] = text.split('/', 1);
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  try {
    proxyaddr.compile(text);
    return true;
  } catch {
    return false;
  }
};

/** The number of proxies in front, or their addresses. Trusts no proxy by default. */
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

/** Checks that a URL has a host. Of several hosts, only the first is checked. */
const isUrl = (text: string): boolean => {
  const url = URL.parse(text.replace(/,[^/]*/, ''));
  return url !== null && url.hostname !== '' && !/\s/.test(text);
};

const url = (protocols: RegExp, example: string) =>
  z.string().refine((text) => protocols.test(text) && isUrl(text), `must be like ${example}`);

const CLOCK_UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** For tests and rehearsals: the time at which the process starts, or a shift of its clock. */
const clock = z.string().transform((text, ctx): Date | number => {
  const [, sign, count, unit] = /^([+-])(\d{1,5})([mhd])$/.exec(text) ?? [];
  if (unit !== undefined) return Number(`${sign}${count}`) * (CLOCK_UNITS[unit] as number);
  if (z.iso.datetime().safeParse(text).success) return new Date(text);
  ctx.addIssue({
    code: 'custom',
    message: 'must be a time such as 2027-03-01T00:00:00Z, or a shift such as +16d or -3h',
  });
  return z.NEVER;
});

/**
 * Kept exactly as written, since issuers are compared character by character.
 * OpenID Connect Discovery allows neither a query nor a fragment.
 */
const issuer = url(/^https?:\/\/[^?#|]+$/, 'https://login.example/realm, without query and fragment');

/** Allows plain HTTP only to this machine. Anyone who can change the keys in transit can impersonate any account. */
const jwksUrl = url(
  /^(https:\/\/|http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/])[^#]+$/,
  'https://login.example/.well-known/jwks.json (http to this machine only)',
);

const networks = z.string().transform((text, ctx) => {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every(isNetwork)) return parts;
  ctx.addIssue({ code: 'custom', message: 'must be networks such as 10.1.0.0/16,fd00::/8, joined by commas' });
  return z.NEVER;
});

const webhookSecrets = z.string().transform((text, ctx) => {
  const keys = text.split(',').map((part) => webhookKey(part.trim()));
  if (keys.every((key) => key !== undefined)) return keys;
  ctx.addIssue({
    code: 'custom',
    message: 'must be like whsec_ and 24 to 64 bytes in base64, several joined by commas',
  });
  return z.NEVER;
});

const ports = z.string().transform((text, ctx) => {
  const numbers = text.split(',').map((part) => (/^\s*\d{1,5}\s*$/.test(part) ? Number(part) : 0));
  if (numbers.every((port) => port >= 1 && port <= 65_535)) return numbers;
  ctx.addIssue({ code: 'custom', message: 'must be port numbers such as 80,443, joined by commas' });
  return z.NEVER;
});

/** URL of the mail server, which can hold a password. */
const smtpUrl = z.string().refine((text) => {
  try {
    return /^smtps?:\/\/[^/?#\s]+\/?$/.test(text) && parseConnection(text).host !== '';
  } catch {
    return false;
  }
}, 'must be like smtp://user:password@mail.example:587 or smtps://user:password@mail.example');

const sender = z
  .string()
  .refine(
    (text) => addressIn(text) !== undefined && !/[\r\n]/.test(text),
    'must be like "Ratings <mail@ratings.example>" or mail@ratings.example',
  );

const mailAddresses = z.string().transform((text, ctx) => {
  const addresses = text.split(',').map((part) => mailAddress(part));
  if (addresses.every((address) => address !== undefined)) return addresses;
  ctx.addIssue({ code: 'custom', message: 'must be addresses such as ops@ratings.example, joined by commas' });
  return z.NEVER;
});

/** Address of a person's submission on the operator's site. */
const mailLink = url(/^https?:\/\/[^#]*\{reference\}/, 'https://ratings.example/my/{about}/{reference}');

/** The process that keeps the log: each `serve`, or a separate `log sign`. */
const LOG_SIGNERS = ['serve', 'apart'] as const;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const Environment = z.object({
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  INTERNAL_PORT: integer(0, 65_535).optional(),
  INTERNAL_HOST: z.string().min(1).default('127.0.0.1'),
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
  PUBLIC_RATE_LIMIT: integer(1, 1_000_000).default(LIMITS.public.requests),
  COMPLAINTS_PER_DAY: integer(1, 1_000_000).default(COMPLAINT_LIMIT.complaints),
  SNAPSHOTS_KEPT: integer(1, 1000).default(7),
  PREPARED_MB: integer(0, 100_000).default(128),
  WORKERS: integer(1, 64).default(1),
  MAX_IN_FLIGHT: integer(1, 100_000).default(200),
  MAX_CONNECTIONS: integer(1, 100_000).default(4000),
  TRUST_PROXY: trustProxy.default(0),
  JWT_ISSUER: issuer.optional(),
  JWT_AUDIENCE: z.string().regex(/^\S+$/, 'must be one name without blanks').optional(),
  JWT_JWKS_URL: jwksUrl.optional(),
  JWT_JWKS_NETWORKS: networks.optional(),
  KYC_WEBHOOK_SECRETS: webhookSecrets.optional(),
  ...SignInSettings.shape,
  JOBS: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .transform((text) => text === 'on'),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be like what "openssl rand -hex 32" prints: at least 16 characters, no blanks')
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  MONGOD_BINARY: z.string().min(1).optional(),
  ERASURE_LIST: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  BLOCK_LIST: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  LOG_KEY: z
    .string()
    .transform((paths) => paths.split(',').map((path) => resolve(path.trim())))
    .optional(),
  LOG_SIGNER: z.enum(LOG_SIGNERS, `must be one of ${LOG_SIGNERS.join(', ')}`).default('serve'),
  LOG_WITNESSES: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  ENTERPRISE_CONTACT: contact.optional(),
  WEBHOOK_KEY: z
    .string()
    .transform((paths) => paths.split(',').map((path) => resolve(path.trim())))
    .optional(),
  WEBHOOKS_ALLOW_LOOPBACK: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: sender.optional(),
  MAIL_LINK: mailLink.optional(),
  MAIL_LANGUAGE: z.enum(NOTICE_LANGUAGES, `must be one of ${NOTICE_LANGUAGES.join(', ')}`).default(NOTICE_LANGUAGES[0]),
  OPERATOR_MAIL: mailAddresses.optional(),
  ...OperatorSettings.shape,
  NOTICE_WEBHOOK_NETWORKS: networks.optional(),
  CLOCK: clock.optional(),
  NEWS_FEEDS: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  NEWS_FEEDS_PORTS: ports.default([80, 443]),
  NEWS_FEEDS_ALLOW_LOOPBACK: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  REGISTERS: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  REGISTERS_PORTS: ports.default([80, 443]),
  REGISTERS_ALLOW_LOOPBACK: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  XDG_CACHE_HOME: z.string().min(1).default(join(homedir(), '.cache')),
  XDG_CONFIG_HOME: z.string().min(1).default(join(homedir(), '.config')),
  BROKER_RATING_CONTEXT: z.string().min(1).optional(),
});

/** Names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(Environment.shape);

/** Variables that hold a secret or may contain one. Error messages omit their values, so that no log shows them. */
const SECRET = new Set([
  'MONGODB_URL',
  'REDIS_URL',
  'KYC_WEBHOOK_SECRETS',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
]);

const JWT = ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWT_JWKS_URL'] as const;

/**
 * Returns the identity provider, or undefined if none is set.
 * @throws DomainError if only some of its variables are set
 */
const readIdentityProvider = (data: z.output<typeof Environment>) => {
  const { JWT_ISSUER, JWT_AUDIENCE, JWT_JWKS_URL, JWT_JWKS_NETWORKS } = data;
  if (JWT_ISSUER && JWT_AUDIENCE && JWT_JWKS_URL)
    return { issuer: JWT_ISSUER, audience: JWT_AUDIENCE, jwksUrl: JWT_JWKS_URL, networks: JWT_JWKS_NETWORKS ?? [] };
  const missing = JWT.filter((name) => data[name] === undefined);
  if (missing.length === JWT.length && JWT_JWKS_NETWORKS !== undefined)
    throw new DomainError('invalid_setting', 'JWT_JWKS_NETWORKS needs JWT_JWKS_URL, which is not set');
  if (missing.length === JWT.length) return undefined;
  const given = JWT.filter((name) => !missing.includes(name)).join(' and ');
  throw new DomainError('invalid_setting', `${missing.join(' and ')} must be set beside ${given}: JWTs need all three`);
};

/** @throws DomainError if several workers would run without Redis, because each would count requests for itself */
const countWorkers = ({ WORKERS, REDIS_URL }: z.output<typeof Environment>): number => {
  if (WORKERS === 1 || REDIS_URL !== undefined) return WORKERS;
  throw new DomainError(
    'invalid_setting',
    `WORKERS above 1 needs REDIS_URL, so that they count requests together (it is ${WORKERS})`,
  );
};

/**
 * Returns the port for health and metrics, or undefined if they share the public port.
 * @throws DomainError if it equals the public port
 */
const readInternalPort = ({ PORT, INTERNAL_PORT }: z.output<typeof Environment>): number | undefined => {
  if (INTERNAL_PORT !== undefined && INTERNAL_PORT !== 0 && INTERNAL_PORT === PORT)
    throw new DomainError('invalid_setting', `INTERNAL_PORT and PORT must differ (both are ${PORT})`);
  return INTERNAL_PORT;
};

/**
 * Returns the settings of mail, or undefined if none is sent. @throws DomainError if the sender or the address for
 * links is missing
 */
const readMailSettings = ({
  SMTP_URL,
  MAIL_FROM,
  MAIL_LINK,
  MAIL_LANGUAGE,
  PUBLIC_URL,
}: z.output<typeof Environment>) => {
  if (SMTP_URL === undefined) return undefined;
  if (MAIL_FROM === undefined) throw new DomainError('invalid_setting', 'MAIL_FROM must be set beside SMTP_URL');
  if (PUBLIC_URL === undefined)
    throw new DomainError('invalid_setting', 'PUBLIC_URL must be set beside SMTP_URL: mails link to it');
  return { url: SMTP_URL, from: MAIL_FROM, link: MAIL_LINK, language: MAIL_LANGUAGE, publicUrl: PUBLIC_URL };
};

/** Other programs' names of our settings. */
const ELSEWHERE: Readonly<Record<string, string>> = { DATABASE_URL: 'MONGODB_URL', DB_URL: 'MONGODB_URL' };

/** Standard names that resemble settings but are not misspelt. */
const COMMON = new Set(['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'HOST', 'PORT']);

/**
 * Returns a line for each variable that is no setting but resembles an unset one, which was probably meant. Never shows
 * values.
 */
export const findMisspeltSettings = (env: NodeJS.ProcessEnv): string[] => {
  const open = SETTING_NAMES.filter((name) => !COMMON.has(name) && (env[name] ?? '') === '');
  return Object.keys(env)
    .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name) && !SETTING_NAMES.includes(name) && env[name] !== '')
    .flatMap((name) => {
      const meant = ELSEWHERE[name] ?? findNearestName(name, open);
      return meant === undefined || !open.includes(meant)
        ? []
        : [`${name} is not a setting of this service: did you mean ${meant}, which is not set?`];
    });
};

/** All settings from the environment. No other module parses it. */
export type Config = ReturnType<typeof readConfig>;

/** Reads the settings. An empty variable counts as not set. @throws DomainError naming every invalid variable */
export const readConfig = (env: NodeJS.ProcessEnv) => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = Environment.safeParse(set);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name} ${issue.message}${SECRET.has(name) ? '' : ` (it is ${JSON.stringify(set[name])})`}`;
    });
    throw new DomainError('invalid_setting', lines.join('; '));
  }
  const { data } = result;
  return {
    port: data.PORT,
    host: data.HOST,
    internalPort: readInternalPort(data),
    internalHost: data.INTERNAL_HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    mongodbUrl: data.MONGODB_URL,
    redisUrl: data.REDIS_URL,
    publicRateLimit: data.PUBLIC_RATE_LIMIT,
    complaintsPerDay: data.COMPLAINTS_PER_DAY,
    snapshotsKept: data.SNAPSHOTS_KEPT,
    preparedMb: data.PREPARED_MB,
    workers: countWorkers(data),
    maxInFlight: data.MAX_IN_FLIGHT,
    maxConnections: data.MAX_CONNECTIONS,
    trustProxy: data.TRUST_PROXY,
    identityProvider: readIdentityProvider(data),
    signIn: toSignIn(data),
    kycWebhookKeys: data.KYC_WEBHOOK_SECRETS ?? [],
    jobs: data.JOBS,
    metricsToken: data.METRICS_TOKEN,
    logLevel: data.LOG_LEVEL,
    mongodBinary: data.MONGOD_BINARY,
    erasureList: data.ERASURE_LIST,
    blockList: data.BLOCK_LIST,
    logKeys: data.LOG_KEY ?? [],
    logSigner: data.LOG_SIGNER,
    logWitnesses: data.LOG_WITNESSES,
    enterpriseContact: data.ENTERPRISE_CONTACT,
    webhookKeys: data.WEBHOOK_KEY ?? [],
    webhooksAllowLoopback: data.WEBHOOKS_ALLOW_LOOPBACK,
    mail: readMailSettings(data),
    operatorMail: data.OPERATOR_MAIL ?? [],
    operator: toOperator(data),
    noticeWebhookNetworks: data.NOTICE_WEBHOOK_NETWORKS ?? [],
    clock: data.CLOCK,
    newsFeeds: data.NEWS_FEEDS,
    newsFeedsPorts: data.NEWS_FEEDS_PORTS,
    newsFeedsAllowLoopback: data.NEWS_FEEDS_ALLOW_LOOPBACK,
    registers: data.REGISTERS,
    registersPorts: data.REGISTERS_PORTS,
    registersAllowLoopback: data.REGISTERS_ALLOW_LOOPBACK,
    cacheDir: join(data.XDG_CACHE_HOME, 'broker-transparency'),
    contextName: data.BROKER_RATING_CONTEXT,
  };
};

/** Returns the folder of the user's contexts. */
export const resolveContextDir = ({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv): string =>
  join(Environment.shape.XDG_CONFIG_HOME.parse(XDG_CONFIG_HOME || undefined), 'broker-rating');

/**
 * Returns the path of the list of erased people. It must outlive the database, so that they can be erased again after a
 * restore.
 */
export const resolveErasureList = ({ erasureList, dataDir }: Config): string =>
  erasureList ?? join(dataDir, 'erasures.ndjson');

/** Returns the path of the list of blocked people, from which blocks are renewed after a restore. */
export const resolveBlockList = ({ blockList, dataDir }: Config): string => blockList ?? join(dataDir, 'blocks.ndjson');

/**
 * Returns the folder with the copy of a log, by its origin. It must outlive the database, so that a restore cannot
 * change the past.
 */
export const resolveLogMirror = ({ dataDir }: Config, origin: string): string => join(dataDir, 'log', logName(origin));

/** The settings of the place of the data. */
export type DatabaseLocation = Pick<Config, 'mongodbUrl' | 'dataDir'> & Partial<Pick<Config, 'contextName'>>;

/** Returns the place of the data and its setting as text for people: without name, password and options. */
export const describeDatabase = ({ mongodbUrl, dataDir, contextName }: DatabaseLocation): string => {
  const context = contextName === undefined ? '' : `context ${contextName}`;
  if (mongodbUrl === undefined)
    return `mongodb://127.0.0.1/broker-transparency (embedded, in ${dataDir}${context && `; ${context}`})`;
  const [, scheme = '', hosts = '', name = ''] =
    /^(mongodb(?:\+srv)?:\/\/)(?:[^/?]*@)?([^/?]*)\/?([^?]*)/.exec(mongodbUrl) ?? [];
  return `${scheme}${hosts}/${name === '' ? 'broker-transparency' : name} (${context || 'MONGODB_URL'})`;
};

/** @throws DomainError invalid_setting if the clock is moved: times of checkpoints could not be trusted */
export const requireRealClock = ({ clock }: Config): void => {
  if (clock !== undefined)
    throw new DomainError('invalid_setting', 'CLOCK is set, so that nothing is signed: run this without it.');
};
