import type { Scratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { rss, startFeedServer } from '../support/hostile-feeds.ts';
import type { Service } from '../support/process.ts';
import { brokerRow, licenseRow, newsRow, regulatorRow } from '../support/records.ts';

/** Brokers whose reviews the stories are about, one for each course of a review. */
export const STORIES = [
  'pending',
  'published',
  'replied',
  'rejected',
  'appealed',
  'reversed',
  'confirmed',
  'withdrawn',
  'reported',
  'kept',
  'upheld',
  'flagged',
].map((way) => `story-${way}`);

const asic = (slug: string, referenceNumber: string, over = {}) =>
  brokerRow(slug, {
    licensesCheckedAt: null,
    licenses: [licenseRow(`${slug} Ltd`, 'asic', { referenceNumber, ...over })],
  });

/** Brokers that the demo set lacks: odd texts, other states, unknown facts, and licences that a register mentions. */
const BROKERS = [
  ...STORIES.map((slug) => brokerRow(slug)),
  ...['suspended', 'gone', 'renamed', 'unclear', 'steady-1', 'steady-2', 'steady-3'].map((slug, n) =>
    asic(`register-${slug}`, `${n + 1}00`),
  ),
  asic('register-granted', '800', { status: 'pending' }),
  ...['ceased', 'merged', 'suspected_clone'].map((status) =>
    brokerRow(`state-${status.replace('_', '-')}`, { status }),
  ),
  brokerRow('odd-texts', {
    name: 'Ödd & “Töxts” <b>日本</b> \u{1f4a9}',
    tradingNames: ['Ａ full width', 'İstanbul FX', 'x'.repeat(120)],
    description: `Line one\nline two\t${'long '.repeat(390)}`,
    foundedYear: 1800,
  }),
  brokerRow('no-facts', { licenses: [], entities: [], domains: [], licensesCheckedAt: null }),
  brokerRow('a', { name: 'A', website: 'http://a.example/?q=%20#x' }),
  brokerRow('x'.repeat(80), { name: 'X'.repeat(120) }),
  brokerRow('many-licenses', {
    licenses: ['fca', 'asic', 'bafin', 'cysec', 'home'].map((code) => licenseRow('many-licenses Ltd', code)),
  }),
];

const NEWS = ['warning', 'enforcement', 'license_change', 'market', 'product', 'service'].map((category, n) =>
  newsRow(n + 1, {
    category,
    language: ['en', 'de', 'zh-Hant-TW'][n % 3],
    severity: ['info', 'serious', 'critical'][n % 3],
    brokerSlugs: n % 2 ? ['odd-texts', 'a'] : [],
    regulatorCodes: n % 3 ? ['fca', 'home'] : [],
  }),
);

const REGISTER = [
  'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS',
  ...[
    ['100', 'REGISTER-SUSPENDED LTD', 'SUSP'],
    ['300', 'REGISTER-RENAMED GLOBAL PTY LTD', ''],
    ['400', 'SOMEBODY ELSE PTY LTD', ''],
    ...[1, 2, 3].map((n) => [`${n + 4}00`, `REGISTER-STEADY-${n} LTD`, '']),
    ['800', 'REGISTER-GRANTED LTD', 'APPR'],
  ].map(([number, name, status]) => `AFS Licence,${number},${name},,01/02/2010,${status}`),
];

/** Imports regulators, brokers and news from files, and a register's statements about licences. */
export const importFacts = async ({ cli }: Service, scratch: Scratch): Promise<void> => {
  const rows = { regulators: [regulatorRow('home')], brokers: BROKERS, news: NEWS };
  const source = ['--license', 'CC BY 4.0', '--attribution', 'Example Archive', '--source', 'https://archive.example/'];
  for (const [kind, list] of Object.entries(rows))
    succeeded(await cli('import', kind, await scratch.ndjson(`${kind}.ndjson`, list), ...source));
  const file = await scratch.write('afs_lic.csv', `${REGISTER.join('\r\n')}\r\n`);
  const check = ['license', 'check', '--register', 'asic', file, '--as-of', '2027-05-30', '--apply', '--least', '1'];
  succeeded(await cli(...check));
};

const item = (feed: string, number: number) => ({
  title: `What ${feed} says of odd-texts.example, number ${number}`,
  link: `https://${feed}.example/${number}`,
  guid: `${feed}-${number}`,
  date: `Sat, 0${number} May 2027 10:00:00 GMT`,
  description: `<![CDATA[<p>Text <b>${number}</b></p>]]>`,
});

/** Starts feeds on this machine. Returns them with the settings that make a server read them. */
export const startFeeds = async (scratch: Scratch) => {
  const server = await startFeedServer();
  const feeds = ['gazette', 'authority', 'blog'].map((name, n) => ({
    url: server.serve(`/${name}`, rss([1, 2, 3].map((number) => item(name, number)))),
    source: `The ${name}`,
    language: ['en', 'de', 'fr'][n],
    category: 'market',
    authority: name === 'authority',
  }));
  const settings = {
    NEWS_FEEDS: await scratch.write('feeds.json', JSON.stringify(feeds)),
    NEWS_FEEDS_PORTS: `80,443,${server.port}`,
    NEWS_FEEDS_ALLOW_LOOPBACK: 'true',
  };
  return { settings, close: server.close };
};
