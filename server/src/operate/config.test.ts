import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import express from 'express';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../platform/domain-error.ts';
import { type Config, describeDatabase, findMisspeltSettings, readConfig } from './config.ts';

const KEY = Buffer.from('24 bytes are the fewest.');
const LONG = Buffer.alloc(64, 7);

const DEFAULTS: Config = {
  port: 3000,
  host: '127.0.0.1',
  internalPort: undefined,
  internalHost: '127.0.0.1',
  publicUrl: undefined,
  dataDir: resolve('.data'),
  mongodbUrl: undefined,
  redisUrl: undefined,
  publicRateLimit: 60,
  complaintsPerDay: 10,
  snapshotsKept: 7,
  preparedMb: 128,
  workers: 1,
  maxInFlight: 200,
  maxConnections: 4000,
  trustProxy: 0,
  identityProvider: undefined,
  signIn: { provider: undefined, kycUrl: undefined },
  kycWebhookKeys: [],
  jobs: true,
  metricsToken: undefined,
  logLevel: 'info',
  mongodBinary: undefined,
  erasureList: undefined,
  blockList: undefined,
  logKeys: [],
  logSigner: 'serve',
  logWitnesses: undefined,
  enterpriseContact: undefined,
  webhookKeys: [],
  webhooksAllowLoopback: false,
  mail: undefined,
  operatorMail: [],
  operator: {
    name: undefined,
    address: undefined,
    country: undefined,
    contact: undefined,
    representative: undefined,
    editor: undefined,
    register: undefined,
    vatId: undefined,
    supervisor: undefined,
    privacyContact: undefined,
    correctionsContact: undefined,
    correctionsDays: undefined,
    securityContact: undefined,
    funding: undefined,
    terms: undefined,
  },
  noticeWebhookNetworks: [],
  clock: undefined,
  registers: undefined,
  registersPorts: [80, 443],
  registersAllowLoopback: false,
  newsFeeds: undefined,
  newsFeedsPorts: [80, 443],
  newsFeedsAllowLoopback: false,
  cacheDir: join(homedir(), '.cache', 'broker-transparency'),
  contextName: undefined,
};

/** For every variable: the setting, the accepted values with the result, and values that are refused. */
const VARIABLES: Record<string, { key: keyof Config; good: [text: string, value: unknown][]; bad: string[] }> = {
  PORT: {
    key: 'port',
    good: [
      ['0', 0],
      ['8080', 8080],
      ['65535', 65_535],
    ],
    bad: ['65536', '-1', '80.5', '1e3', '0x50', 'http', ' ', ' 80', '80 ', '9999999999', '٣', '80\n'],
  },
  HOST: {
    key: 'host',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
      ['localhost', 'localhost'],
    ],
    bad: [],
  },
  INTERNAL_PORT: {
    key: 'internalPort',
    good: [
      ['0', 0],
      ['9464', 9464],
    ],
    bad: ['65536', '-1', 'http', ' '],
  },
  ENTERPRISE_CONTACT: {
    key: 'enterpriseContact',
    good: [
      ['data@ratings.example', 'data@ratings.example'],
      ['https://ratings.example/data?a=1', 'https://ratings.example/data?a=1'],
    ],
    bad: ['data', 'http://ratings.example', 'https://', 'javascript:alert(1)', 'data@ratings', 'a b@ratings.example'],
  },
  INTERNAL_HOST: { key: 'internalHost', good: [['10.0.0.5', '10.0.0.5']], bad: [] },
  PUBLIC_URL: {
    key: 'publicUrl',
    good: [
      ['https://ratings.example', 'https://ratings.example'],
      ['https://ratings.example/', 'https://ratings.example'],
      ['http://localhost:8080/base//', 'http://localhost:8080/base'],
    ],
    bad: [
      'ratings.example',
      'ftp://ratings.example',
      'https://',
      'https:///',
      'https://ratings.example?x=1',
      'https://ratings.example#x',
      'https://exa mple',
      'https://ratings.example ',
      'https://ratings.example\n',
      'https://ratings.example:99999',
    ],
  },
  DATA_DIR: {
    key: 'dataDir',
    good: [
      ['/var/lib/ratings', '/var/lib/ratings'],
      ['here', resolve('here')],
    ],
    bad: [],
  },
  MONGODB_URL: {
    key: 'mongodbUrl',
    good: [
      'mongodb://127.0.0.1:27017/ratings?replicaSet=rs0',
      'mongodb://a.example:27017,b.example:27017,c.example/ratings?replicaSet=rs0',
      'mongodb://a,b',
      'mongodb+srv://cluster.example/?retryWrites=true',
      'mongodb://user:p%40ss@db/ratings?readPreferenceTags=dc:ny,rack:1',
      'mongodb://[::1]:27017',
    ].map((text) => [text, text]),
    bad: ['db:27017', 'http://db', 'mongodb:', 'mongodb://', 'mongodb:///ratings', 'mongodb://db:port', 'mongo://db'],
  },
  REDIS_URL: {
    key: 'redisUrl',
    good: ['redis://127.0.0.1:6379', 'rediss://user:pw@redis.example/0', 'redis://redis?cluster=true'].map((text) => [
      text,
      text,
    ]),
    bad: ['redis:6379', 'redis://', 'redis:///', 'http://redis', 'redis://redis:port', 'redis://re dis'],
  },
  MAX_IN_FLIGHT: { key: 'maxInFlight', good: [['1', 1]], bad: ['0', '-1', '1.5', '100001', 'many'] },
  MAX_CONNECTIONS: { key: 'maxConnections', good: [['100000', 100_000]], bad: ['0', '100001', '4k'] },
  WORKERS: { key: 'workers', good: [['1', 1]], bad: ['0', '65', '1.5', 'all'] },
  SNAPSHOTS_KEPT: {
    key: 'snapshotsKept',
    good: [
      ['1', 1],
      ['1000', 1000],
    ],
    bad: ['0', '1001', '-1', '7 days'],
  },
  PREPARED_MB: {
    key: 'preparedMb',
    good: [
      ['0', 0],
      ['512', 512],
    ],
    bad: ['-1', '1.5', '64MB', '100001'],
  },
  COMPLAINTS_PER_DAY: {
    key: 'complaintsPerDay',
    good: [
      ['1', 1],
      ['1000000', 1_000_000],
    ],
    bad: ['0', '1000001', '-1', '1.5', 'ten'],
  },
  PUBLIC_RATE_LIMIT: {
    key: 'publicRateLimit',
    good: [
      ['1', 1],
      ['60', 60],
      ['1000000', 1_000_000],
    ],
    bad: ['0', '-1', '1.5', '1000001', 'unlimited', '60/min'],
  },
  TRUST_PROXY: {
    key: 'trustProxy',
    good: [
      ['0', 0],
      ['1', 1],
      ['99', 99],
      ['10.0.0.1', ['10.0.0.1']],
      ['10.0.0.0/8, 192.168.0.0/16', ['10.0.0.0/8', '192.168.0.0/16']],
      ['::1,fd00::/8', ['::1', 'fd00::/8']],
      ['loopback,linklocal,uniquelocal', ['loopback', 'linklocal', 'uniquelocal']],
    ],
    bad: [
      'true',
      'yes',
      '-1',
      '1.5',
      '100',
      '0x10',
      '010.1',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/0',
      '::1/129',
      '::10.0.0.1',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10/8',
      '10.0.0.1,',
      ',',
      'proxy.example',
      '*',
    ],
  },
  METRICS_TOKEN: {
    key: 'metricsToken',
    good: [['0123456789abcdef', '0123456789abcdef']],
    bad: ['0123456789abcde', '0123456789 abcdef', '0123456789abcdé\n', ' 0123456789abcdef'],
  },
  KYC_WEBHOOK_SECRETS: {
    key: 'kycWebhookKeys',
    good: [
      [`whsec_${KEY.toString('base64')}`, [KEY]],
      [`whsec_${KEY.toString('base64')}, whsec_${LONG.toString('base64')}`, [KEY, LONG]],
    ],
    bad: [
      KEY.toString('base64'),
      'whsec_',
      'whsec_c2hvcnQ=',
      `whsec_${'A'.repeat(100)}`,
      `whsec_${'!'.repeat(32)}`,
      `whsec_${KEY.toString('base64')},`,
    ],
  },
  JOBS: {
    key: 'jobs',
    good: [
      ['on', true],
      ['off', false],
    ],
    bad: ['true', '1', 'ON', 'yes'],
  },
  LOG_LEVEL: {
    key: 'logLevel',
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((text) => [text, text]),
    bad: ['verbose', 'INFO', '30'],
  },
  MONGOD_BINARY: { key: 'mongodBinary', good: [['/usr/bin/mongod', '/usr/bin/mongod']], bad: [] },
  ERASURE_LIST: { key: 'erasureList', good: [['/safe/erasures.ndjson', '/safe/erasures.ndjson']], bad: [] },
  BLOCK_LIST: { key: 'blockList', good: [['/safe/blocks.ndjson', '/safe/blocks.ndjson']], bad: [] },
  LOG_KEY: {
    key: 'logKeys',
    good: [
      ['/etc/log.key', ['/etc/log.key']],
      ['/etc/log.key, log-2.key', ['/etc/log.key', resolve('log-2.key')]],
    ],
    bad: [],
  },
  LOG_SIGNER: {
    key: 'logSigner',
    good: [
      ['serve', 'serve'],
      ['apart', 'apart'],
    ],
    bad: ['on', 'Serve', 'log sign'],
  },
  LOG_WITNESSES: {
    key: 'logWitnesses',
    good: [
      ['/etc/witnesses.policy', '/etc/witnesses.policy'],
      ['witnesses.policy', resolve('witnesses.policy')],
    ],
    bad: [],
  },
  WEBHOOK_KEY: {
    key: 'webhookKeys',
    good: [['/etc/webhook.key, webhook-2.key', ['/etc/webhook.key', resolve('webhook-2.key')]]],
    bad: [],
  },
  WEBHOOKS_ALLOW_LOOPBACK: {
    key: 'webhooksAllowLoopback',
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['1', 'yes'],
  },
  CLOCK: {
    key: 'clock',
    good: [
      ['2027-03-01T00:00:00Z', new Date('2027-03-01T00:00:00Z')],
      ['+16d', 16 * 86_400_000],
      ['-90m', -90 * 60_000],
      ['+3h', 3 * 3_600_000],
    ],
    bad: ['16d', '+16', '+16w', '+1.5d', 'now', '2027-03-01', '2027-02-30T00:00:00Z', '+999999d'],
  },
  NEWS_FEEDS: {
    key: 'newsFeeds',
    good: [
      ['/etc/ratings/feeds.json', '/etc/ratings/feeds.json'],
      ['feeds.json', resolve('feeds.json')],
    ],
    bad: [],
  },
  NEWS_FEEDS_PORTS: {
    key: 'newsFeedsPorts',
    good: [
      ['443', [443]],
      ['80, 443,8443', [80, 443, 8443]],
    ],
    bad: ['0', '65536', 'http', '80;443', '80,', ',', '-1', '80-90', '8e3'],
  },
  NEWS_FEEDS_ALLOW_LOOPBACK: {
    key: 'newsFeedsAllowLoopback',
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['1', 'yes', 'TRUE', 'on'],
  },
  REGISTERS: {
    key: 'registers',
    good: [
      ['/etc/ratings/registers.json', '/etc/ratings/registers.json'],
      ['registers.json', resolve('registers.json')],
    ],
    bad: [],
  },
  REGISTERS_PORTS: {
    key: 'registersPorts',
    good: [
      ['443', [443]],
      ['80, 443,8443', [80, 443, 8443]],
    ],
    bad: ['0', '65536', 'http', '80;443', ','],
  },
  REGISTERS_ALLOW_LOOPBACK: {
    key: 'registersAllowLoopback',
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['1', 'yes'],
  },
  XDG_CACHE_HOME: { key: 'cacheDir', good: [['/cache', '/cache/broker-transparency']], bad: [] },
  BROKER_RATING_CONTEXT: { key: 'contextName', good: [['prod', 'prod']], bad: [] },
};

const catchMessage = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(env)} was taken`);
};

/** Returns the settings, or undefined if they are refused. */
const readOr = (env: NodeJS.ProcessEnv, onRefusal = (_message: string): void => {}): Config | undefined => {
  try {
    return readConfig(env);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    onRefusal(error.message);
    return undefined;
  }
};

describe('an empty environment', () => {
  test('gives every setting its default', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  test('every setting has a variable in this table', () => {
    expect(
      Object.values(VARIABLES)
        .map(({ key }) => key)
        .concat('identityProvider', 'signIn', 'mail', 'operatorMail', 'operator', 'noticeWebhookNetworks') // set by several variables, tested below and beside their source
        .sort(),
    ).toEqual(Object.keys(DEFAULTS).sort());
  });

  test('ignores variables of other programs', () => {
    expect(readConfig({ PATH: '/bin', port: '1', NODE_ENV: 'production' })).toEqual(DEFAULTS);
  });
});

describe.each(Object.entries(VARIABLES))('%s', (name, { key, good, bad }) => {
  test.each(good)('accepts %j', (text, value) => {
    expect(readConfig({ [name]: text })).toEqual({ ...DEFAULTS, [key]: value });
  });

  if (bad.length > 0)
    test.each(bad)('refuses %j with one line that says what it must be', (text) => {
      const message = catchMessage({ [name]: text });
      expect(message).toMatch(new RegExp(`^${name} must be `));
      expect(message).not.toContain('\n');
      expect(message.split('; ')).toHaveLength(1);
    });

  test('treats an empty value as not set', () => {
    expect(readConfig({ [name]: '' })).toEqual(DEFAULTS);
  });
});

describe('an identity provider', () => {
  const whole = {
    JWT_ISSUER: 'https://login.example/',
    JWT_AUDIENCE: 'ratings',
    JWT_JWKS_URL: 'https://login.example/jwks.json',
  };

  test('keeps the settings exactly as written', () => {
    expect(readConfig(whole).identityProvider).toEqual({
      issuer: 'https://login.example/',
      audience: 'ratings',
      jwksUrl: 'https://login.example/jwks.json',
      networks: [],
    });
  });

  test('an identity provider may be in private networks that the operator names', () => {
    const { identityProvider } = readConfig({ ...whole, JWT_JWKS_NETWORKS: '10.1.0.0/16, fd00::/8,192.168.7.9' });
    expect(identityProvider?.networks).toEqual(['10.1.0.0/16', 'fd00::/8', '192.168.7.9']);
    expect(catchMessage({ JWT_JWKS_NETWORKS: '10.1.0.0/16' })).toContain('JWT_JWKS_URL');
  });

  test.each([
    [{ JWT_ISSUER: '' }, 'JWT_ISSUER must be set beside JWT_AUDIENCE and JWT_JWKS_URL: JWTs need all three'],
    [
      { JWT_AUDIENCE: undefined, JWT_JWKS_URL: '' },
      'JWT_AUDIENCE and JWT_JWKS_URL must be set beside JWT_ISSUER: JWTs need all three',
    ],
  ])('an identity provider is refused if a setting is missing: %j', (part, message) => {
    expect(catchMessage({ ...whole, ...part })).toBe(message);
  });

  test.each([
    ['JWT_ISSUER', 'login.example'],
    ['JWT_ISSUER', 'https://login.example?x'],
    ['JWT_ISSUER', 'https://login.example#x'],
    ['JWT_AUDIENCE', 'two names'],
    ['JWT_JWKS_URL', 'http://login.example/jwks.json'],
    ['JWT_JWKS_URL', 'http://localhost.example/jwks.json'],
    ['JWT_JWKS_URL', 'http://127.0.0.1.example/jwks.json'],
    ['JWT_JWKS_URL', 'file:///jwks.json'],
    ['JWT_JWKS_NETWORKS', 'private'],
    ['JWT_JWKS_NETWORKS', '10.1'],
    ['JWT_JWKS_NETWORKS', '10.0.0.0/33'],
    ['JWT_JWKS_NETWORKS', '10.0.0.0/8/8'],
    ['JWT_JWKS_NETWORKS', '10.0.0.0/8,'],
  ])('refuses %s %j', (name, text) => {
    expect(catchMessage({ ...whole, [name]: text })).toMatch(new RegExp(`^${name} must be `));
  });

  test.each(['http://127.0.0.1:8080/jwks', 'http://localhost/jwks', 'http://[::1]:8080/jwks'])(
    'an identity provider may be reached without TLS on this machine: %s',
    (url) => {
      expect(readConfig({ ...whole, JWT_JWKS_URL: url }).identityProvider?.jwksUrl).toBe(url);
    },
  );
});

describe('mail', () => {
  const whole = {
    SMTP_URL: 'smtp://user:p%40ss@mail.example:587',
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    PUBLIC_URL: 'https://ratings.example/',
  };

  test('mail is sent if its sender and the address of its links are set', () => {
    expect(readConfig(whole).mail).toEqual({
      url: whole.SMTP_URL,
      from: whole.MAIL_FROM,
      link: undefined,
      language: 'en',
      publicUrl: 'https://ratings.example',
    });
    expect(readConfig({ ...whole, SMTP_URL: '' }).mail).toBeUndefined();
    expect(catchMessage({ ...whole, MAIL_FROM: '' })).toContain('MAIL_FROM must be set beside SMTP_URL');
    expect(catchMessage({ ...whole, PUBLIC_URL: '' })).toContain('PUBLIC_URL must be set beside SMTP_URL');
  });

  test('mail has its own language, links and addresses of operators', () => {
    const more = {
      NOTICE_WEBHOOK_NETWORKS: '10.0.0.0/8',
      MAIL_LANGUAGE: 'de',
      MAIL_LINK: 'https://a.example/{about}/{reference}',
      OPERATOR_MAIL: 'a@b.example, c@D.example',
    };
    const { mail, operatorMail } = readConfig({ ...whole, ...more });
    expect([mail?.language, mail?.link, operatorMail]).toEqual(['de', more.MAIL_LINK, ['a@b.example', 'c@d.example']]);
  });

  test.each([
    ['SMTP_URL', 'http://user:hunter2@mail.example'],
    ['SMTP_URL', 'smtp://user:hunter2%@mail.example'],
    ['SMTP_URL', 'smtp://user:hunter2@mail.example/path'],
    ['SMTP_URL', 'hunter2'],
    ['SMTP_URL', 'smtp://mail.example:99999'],
    ['MAIL_FROM', 'Ratings'],
    ['MAIL_FROM', 'mail@ratings.example\r\nBcc: you@mail.example'],
    ['MAIL_LINK', 'https://ratings.example/my'],
    ['MAIL_LANGUAGE', 'fr'],
    ['OPERATOR_MAIL', 'a@b.example,'],
  ])('refuses %s=%j', (name, text) => {
    const message = catchMessage({ ...whole, [name]: text });
    expect(message).toMatch(new RegExp(`^${name} must be `));
    expect(message).not.toContain('hunter2');
  });
});

test('requires Redis for several workers, because they count requests together', () => {
  expect(catchMessage({ WORKERS: '2' })).toBe(
    'WORKERS above 1 needs REDIS_URL, so that they count requests together (it is 2)',
  );
  expect(readConfig({ WORKERS: '2', REDIS_URL: 'redis://127.0.0.1:6379' }).workers).toBe(2);
});

test('refuses the same port for the internal and the public server', () => {
  expect(catchMessage({ PORT: '3000', INTERNAL_PORT: '3000' })).toBe(
    'INTERNAL_PORT and PORT must differ (both are 3000)',
  );
  expect(readConfig({ PORT: '0', INTERNAL_PORT: '0' }).internalPort).toBe(0);
});

test('Express accepts every listed proxy setting', () => {
  for (const [text] of VARIABLES['TRUST_PROXY']?.good ?? []) {
    const { trustProxy } = readConfig({ TRUST_PROXY: text });
    expect(() => express().set('trust proxy', trustProxy)).not.toThrow();
  }
});

test('Express accepts every proxy address that the settings accept', () => {
  const piece = fc.constantFrom(
    '10',
    '.',
    '0',
    ':',
    '::',
    'ffff',
    '/',
    '8',
    '33',
    ',',
    ' ',
    '%eth0',
    '0x7f',
    '1.2.3.4',
  );
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  const range = fc.tuple(address, fc.nat(140)).map((parts) => parts.join('/'));
  const text = fc.oneof(
    fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
    fc.array(fc.oneof(address, range)).map((all) => all.join(', ')),
  );
  fc.assert(
    fc.property(text, (TRUST_PROXY) => {
      const proxies = readOr({ TRUST_PROXY })?.trustProxy;
      if (proxies !== undefined) expect(() => express().set('trust proxy', proxies)).not.toThrow();
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});

test('accepts any environment, or refuses it in one line that begins with a name and shows no secret', () => {
  const secrets = ['MONGODB_URL', 'REDIS_URL', 'KYC_WEBHOOK_SECRETS', 'METRICS_TOKEN'];
  const names = Object.keys(VARIABLES);
  const piece = fc.constantFrom(
    ...['http://', 'mongodb://', 'redis://', 'whsec_', '@', ':', '/', '?', '#', ',', '%', '[', ']', 'a.example'],
    ...[' ', '\n', '\0', 'é', '0', '7', '99999', '-', '+5d', 'on', 'true', 'loopback', 'proto', '2027-03-01T00:00:00Z'],
  );
  const generateValues = (part: fc.Arbitrary<string>) =>
    fc.array(part, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const open = fc.dictionary(
    fc.constantFrom(...names.filter((name) => !secrets.includes(name))),
    generateValues(piece),
  );
  const secret = fc.dictionary(fc.constantFrom(...secrets), generateValues(fc.oneof(piece, fc.constant('hunter2'))));
  fc.assert(
    fc.property(open, secret, (some, others) => {
      readOr({ ...some, ...others }, (message) => {
        expect(names.some((name) => message.startsWith(name))).toBe(true);
        expect(message).not.toMatch(/\n|hunter2/);
      });
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});

describe('the message', () => {
  test('names every invalid variable at once', () => {
    expect(catchMessage({ PORT: 'http', LOG_LEVEL: 'loud', HOST: 'ok', PUBLIC_RATE_LIMIT: '0' })).toBe(
      'PORT must be a whole number from 0 to 65535 (it is "http"); ' +
        'PUBLIC_RATE_LIMIT must be a whole number from 1 to 1000000 (it is "0"); ' +
        'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (it is "loud")',
    );
  });

  test.each([
    ['MONGODB_URL', 'mongodb://user:hunter2@db:port'],
    ['MONGODB_URL', 'mongodb:user:hunter2@db'],
    ['MONGODB_URL', 'user:hunter2@db'],
    ['MONGODB_URL', 'hunter2'],
    ['MONGODB_URL', 'mongodb://user:hunter2@'],
    ['MONGODB_URL', 'mongodb://user:a b/hunter2@db'],
    ['REDIS_URL', 'redis://:hunter2@redis:port'],
    ['REDIS_URL', 'http://redis?password=hunter2'],
    ['REDIS_URL', ':hunter2@redis'],
    ['KYC_WEBHOOK_SECRETS', 'whsec_hunter2'],
    ['METRICS_TOKEN', 'hunter2'],
  ])('hides passwords: %s=%s', (name, text) => {
    const message = catchMessage({ [name]: text, PORT: 'http' });
    expect(message).toContain(`${name} must be like `);
    expect(message).toContain('(it is "http")');
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain('user:');
  });
});

const page = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8');

test.each(Object.keys(VARIABLES))('the page for operators explains %s', (name) => {
  expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'));
});

test.each(['SMTP_URL', 'MAIL_FROM', 'MAIL_LINK', 'MAIL_LANGUAGE', 'OPERATOR_MAIL', 'NOTICE_WEBHOOK_NETWORKS'])(
  'the page for operators explains %s',
  (name) => {
    expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'));
  },
);

test.each([
  ['MONGO_URL', 'MONGODB_URL'],
  ['MONGO_URI', 'MONGODB_URL'],
  ['MONGODB_URI', 'MONGODB_URL'],
  ['DATABASE_URL', 'MONGODB_URL'],
  ['REDIS_URI', 'REDIS_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['NEWS_FEED', 'NEWS_FEEDS'],
  ['WORKER', 'WORKERS'],
])('%s is named as probably %s, without its value', (name, meant) => {
  expect(findMisspeltSettings({ [name]: 'mongodb://user:hunter2@db' })).toEqual([
    `${name} is not a setting of this service: did you mean ${meant}, which is not set?`,
  ]);
  expect(findMisspeltSettings({ [name]: 'x', [meant]: 'y' })).toEqual([]);
  expect(findMisspeltSettings({ [name]: '' })).toEqual([]);
});

test('variables that every process has are not taken for settings', () => {
  const names = ['PATH', 'HOME', 'HOSTNAME', 'USER', 'PWD', 'SHLVL', 'TERM', 'LANG', 'LC_ALL', 'TMPDIR', 'LOGNAME'];
  const more = [
    'XDG_DATA_HOME',
    'XDG_STATE_HOME',
    'NODE_ENV',
    'NODE_OPTIONS',
    'KUBERNETES_PORT',
    'REDIS_HOST',
    'OLDPWD',
  ];
  expect(findMisspeltSettings(Object.fromEntries([...names, ...more].map((name) => [name, 'x'])))).toEqual([]);
});

test.each([
  ['mongodb://user:hunter2@a:1,b:2/ratings?replicaSet=rs0', undefined, 'mongodb://a:1,b:2/ratings (MONGODB_URL)'],
  ['mongodb+srv://db.example', undefined, 'mongodb+srv://db.example/broker-transparency (MONGODB_URL)'],
  ['mongodb://user:hunter2@a:1/ratings', 'prod', 'mongodb://a:1/ratings (context prod)'],
  [undefined, undefined, 'mongodb://127.0.0.1/broker-transparency (embedded, in /data)'],
  [undefined, 'dev', 'mongodb://127.0.0.1/broker-transparency (embedded, in /data; context dev)'],
])('the database of %s in context %s is shown as %s', (mongodbUrl, contextName, shown) => {
  expect(describeDatabase({ mongodbUrl, dataDir: '/data', contextName })).toBe(shown);
});
