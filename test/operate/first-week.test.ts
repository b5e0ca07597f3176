import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, succeeded } from '../support/filled-service.ts';
import { runBeside } from '../support/process.ts';
import { startReviewWork } from '../support/review-work.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';

/**
 * The first week of an operator, from an empty database and by the documentation alone: each step is what
 * docs/operating/first-month.md says, with files as offices and authorities make them.
 */

/** Two hundred decisions, one after the other, on a machine that others use too. */
const REVIEWS = 200;
/** A day on which the files of the story were made. */
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const german = (day: string): string => day.split('-').reverse().join('/');

let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  [service, scratch] = await Promise.all([startService(), createScratch()]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const by = ['--actor', 'maria'] as const;
const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();
const json = async <T>(...args: string[]): Promise<T> => JSON.parse(await cli(...args, '--json'));
const shows = async (slug: string, expected: object): Promise<void> => {
  await service.settle();
  expect(await getJson(service, `/brokers/${slug}`), slug).toMatchObject(expected);
};
const csv = (rows: readonly (readonly string[])[], delimiter: string): string =>
  rows
    .map((row) => row.map((cell) => (/[";,\n|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter))
    .join('\r\n');

const BROKERS = [
  ['alpha-markets', 'Alpha Markets', 'Alpha Markets Pty Ltd', 'AU', 'asic', '000210', '5493001KJTIIGC8Y1R12'],
  ['beta-trade', 'Beta Trade', 'Béta Trade S.A.', 'FR', 'amf', '15678', '529900T8BM49AURSDO55'],
  ['gamma-fx', 'Gamma FX', 'Gamma FX Pty Ltd', 'AU', 'asic', '000212', ''],
  ['delta-capital', 'Delta Capital', 'Delta Capital Pty Ltd', 'AU', 'asic', '000213', ''],
  ['delta-pro', 'Delta Pro', 'Delta Pro Pty Ltd', 'AU', 'asic', '000214', ''],
] as const;

test('1. five brokers come from a spreadsheet with semicolons in Windows-1252, whose days need an order', async () => {
  const header = [
    'slug',
    'name',
    'legalName',
    'website',
    'country',
    'lei',
    'licensesCheckedAt',
    'entities.0.legalName',
  ];
  const more = [
    'entities.0.country',
    'entities.0.retailClients',
    'licenses.0.entity.legalName',
    'licenses.0.regulatorCode',
  ];
  const last = [
    'licenses.0.referenceNumber',
    'licenses.0.type',
    'licenses.0.status',
    'licenses.0.activeSince',
    'licenses.0.sourceUrl',
    'entities.0.lei',
  ];
  const rows = BROKERS.map(([slug, name, legal, country, regulator, number, lei]) => [
    ...[slug, name, legal, `https://${slug}.example/`, country, lei, german(DAY), legal],
    ...[country, 'WAHR', legal, regulator],
    ...[number, 'authorisation', 'active', '31/12/2019', `https://register.example/${number}`, lei],
  ]);
  const text = csv([[...header, ...more, ...last], ...rows], ';');
  const file = await scratch.write('broker.csv', Buffer.from(text, 'latin1'));
  const refused = await service.cli('import', 'brokers', file, '--source', 'https://register.example/', ...by);
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toMatch(/31\/12\/2019|--dates/);
  const given = ['import', 'brokers', file, '--dates', 'dmy', '--source', 'https://register.example/', ...by];
  expect(await cli(...given, '--dry-run')).toContain('5 brokers: 5 new');
  await cli(...given);
  await shows('beta-trade', {
    legalName: 'Béta Trade S.A.',
    licenses: [{ activeSince: '2019-12-31', status: 'active' }],
  });
  expect(await cli('broker', 'list')).toContain('delta-capital');
});

test('2. the register of an authority ends a licence and confirms the others', async () => {
  const others = Array.from({ length: 4000 }, (_, n) => [
    'ASIC',
    String(300_000 + n),
    `FIRM NUMBER ${n} PTY LTD`,
    german('2011-02-01'),
  ]);
  const ours = BROKERS.filter(([slug, , , , regulator]) => regulator === 'asic' && slug !== 'gamma-fx');
  const rows = ours.map(([, , legal, , , number]) => ['ASIC', number, legal.toUpperCase(), german('2019-12-31')]);
  const head = ['REGISTER_NAME', 'AFS_LIC_NUM', 'AFS_LIC_NAME', 'AFS_LIC_START_DT'];
  const file = await scratch.write('afs_lic.csv', csv([head, ...others, ...rows], ','));
  const check = ['license', 'check', '--register', 'asic', file, '--as-of', DAY];
  expect(await cli(...check)).toMatch(/gamma-fx[^\n]*ceased/);
  await shows('gamma-fx', { licenses: [{ status: 'active' }] });
  await cli(...check, '--apply', ...by);
  await shows('gamma-fx', { licenses: [{ status: 'withdrawn' }], color: 'red' });
  await shows('alpha-markets', { licenses: [{ status: 'active', lastVerifiedAt: `${DAY}T00:00:00.000Z` }] });
  const cut = await scratch.write('cut.csv', csv([head, ...rows], ','));
  const refused = await service.cli('license', 'check', '--register', 'asic', cut, '--as-of', DAY);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--least')]);
});

test('2b. LEIs are compared with the records of GLEIF, and nothing is written', async () => {
  const head = ['LEI', 'Entity.LegalName', 'Entity.LegalAddress.Country', 'Entity.EntityStatus'];
  const state = 'Registration.RegistrationStatus';
  const rows = [
    ['5493001KJTIIGC8Y1R12', 'Alpha Markets Pty Ltd', 'AU', 'ACTIVE', 'LAPSED'],
    ['529900T8BM49AURSDO55', 'Somebody Else S.A.', 'FR', 'ACTIVE', 'ISSUED'],
  ];
  const file = await scratch.write('lei2.csv', csv([[...head, state], ...rows], ','));
  const said = await cli('license', 'leis', file);
  expect(said).toMatch(/beta-trade[^\n]*Somebody Else/);
  expect(said).not.toMatch(/alpha-markets[^\n]*retired/);
  await shows('beta-trade', { legalName: 'Béta Trade S.A.' });
});

test('3. a list of warnings caps the firm with its LEI, and leaves a name to a person, whose decision holds', async () => {
  const head = [
    'ae_competentAuthority',
    'ae_homeMemberState',
    'ae_lei_name',
    'ae_lei',
    'ae_commercial_name',
    'ae_website',
  ];
  const rest = ['ae_infrigment', 'ae_reason', 'ae_decision_date', 'ae_comments', 'ae_lastupdate'];
  const warned = (name: string, lei: string, site: string) => [
    ...['AMF', 'FR', name, lei, '', site],
    ...['Unauthorised services', 'None', german(DAY), '', german(DAY)],
  ];
  const rows = [
    ...Array.from({ length: 60 }, (_, n) => warned(`Someone Else ${n}`, '', `https://someone-else-${n}.example`)),
    warned('Béta Trade S.A.', '529900T8BM49AURSDO55', 'https://beta-trade.example'),
    warned('Alpha Markets', '', 'https://alpha-markets-pro.example'),
  ];
  const file = await scratch.write('NCASP.csv', csv([[...head, ...rest], ...rows], ','));
  const read = ['warning', 'import', '--source', 'esma-ncasp', file, '--as-of', DAY, ...by];
  expect(await cli(...read)).toContain('62 new');
  await shows('beta-trade', { color: 'red', warnings: [{ about: 'this_firm', match: 'unchecked' }] });
  await shows('alpha-markets', { warnings: [] });
  const queue = await json<{ id: string; broker: string; state: string }[]>('warning', 'queue');
  expect(queue.map(({ broker }) => broker).toSorted()).toEqual(['alpha-markets', 'beta-trade']);
  const findId = (slug: string) => queue.find(({ broker }) => broker === slug)?.id as string;
  await cli('warning', 'confirm', findId('alpha-markets'), 'alpha-markets', '--about', 'clone', ...by);
  await shows('alpha-markets', { warnings: [{ about: 'clone_of_it' }] });
  await cli('warning', 'undo', findId('beta-trade'), 'beta-trade', ...by);
  await shows('beta-trade', { warnings: [{ about: 'not_this_firm', correctedAt: expect.any(String) }] });
  expect(await cli(...read)).toContain('nothing new');
  await shows('beta-trade', { warnings: [{ about: 'not_this_firm' }] });
});

/** Runs `review work`, and presses a key at each prompt. */
const pressAll = async (key: (review: string) => string): Promise<string> => {
  const { child, output, ended } = startReviewWork(service, ...by);
  let answered = 0;
  child.stdout?.on('data', () => {
    if (output().endsWith('any other key ends. ')) child.stdin?.end('q');
    const prompts = output().split('[q]uit [?]');
    for (; answered < prompts.length - 1; answered++) child.stdin?.write(key(prompts[answered] as string));
  });
  expect(await ended).toBe(0);
  return output();
};

test('4. two hundred reviews of before are decided at the terminal, each by at most two keys and after it was shown', async () => {
  const rows = Array.from({ length: REVIEWS }, (_, n) => ({
    reference: `old-${n}`,
    broker: n % 2 === 0 ? 'alpha-markets' : 'delta-pro',
    rating: 1 + (n % 5),
    title: `Payment number ${n}`,
    content:
      n % 10 === 0
        ? `Offer ${n}: cheap signals at www.shop-${n}.example, write to us today and save.`
        : `I withdrew ${n + 2} times since spring, and each time the money arrived within two days.`,
    language: 'en',
    author: { subject: `writer-${n}`, displayName: `Writer ${n}`, country: 'GB' },
    status: 'pending',
    createdAt: `2026-0${1 + (n % 9)}-05T10:00:00Z`,
  }));
  await cli('import', 'reviews', await scratch.ndjson('reviews.ndjson', rows), ...by);
  const output = await pressAll((shown) => (shown.includes('! link:') ? 'r5' : 'p'));
  expect(output).toMatch(/180 published, 20 rejected, 0 skipped/);
  expect(output.match(/Payment number \d+/g)?.length).toBeGreaterThanOrEqual(REVIEWS);
  expect(await json<unknown[]>('review', 'list', '--status', 'pending')).toEqual([]);
});

test('5. a complaint that came by mail goes to its end', async () => {
  const text = 'I asked for my balance three weeks ago and nobody has answered my four letters since.';
  const given = ['--category', 'withdrawal', '--title', 'No answer for weeks', '--text', text, '--consent', 'yes'];
  const added = await cli(
    'complaint',
    'add',
    'delta-capital',
    ...given,
    '--received',
    DAY,
    '--channel',
    'letter',
    ...by,
  );
  const reference = /C-[0-9A-Z]+/.exec(added)?.[0] as string;
  for (const step of [
    ['screen', reference],
    ['forward', reference],
    ['answer', reference, '--text', 'We paid it out.'],
    ['resolve', reference, '--outcome', 'refunded'],
  ])
    await cli('complaint', ...step, ...by);
  await shows('delta-capital', { complaintSummary: { closed: 1, resolvedRate: 1 } });
});

test('6. a wrong fact is corrected by one command, and taken back', async () => {
  const source = ['--source', 'https://register.example/correction', ...by];
  await cli('broker', 'set', 'alpha-markets', 'foundedYear=2009', ...source);
  await shows('alpha-markets', { foundedYear: 2009 });
  const done = await cli('broker', 'set', 'alpha-markets', 'foundedYear=2010', ...source);
  const run = /import undo ([0-9a-f]{12})/.exec(done)?.[1] as string;
  await cli('import', 'undo', run, '--yes', run, ...by);
  await shows('alpha-markets', { foundedYear: 2009 });
});

test('7. two brokers become one, and a request for the former one is redirected', async () => {
  await cli('broker', 'merge', 'delta-pro', '--into', 'delta-capital', ...by);
  await shows('delta-capital', { predecessors: [expect.objectContaining({ slug: 'delta-pro' })] });
  const { status, headers } = await fetch(`${service.baseUrl}/brokers/delta-pro`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([308, expect.stringContaining('/brokers/delta-capital')]);
});

test('8. a backup brought into an empty database answers as before', async () => {
  await service.settle();
  const answers = async (from: LocalService) => {
    const { data } = (await getJson(from, '/brokers')) as { data: { slug: string }[] };
    return Promise.all(
      data.map(async ({ slug }) => {
        const { score, updatedAt: _, ...broker } = await getJson(from, `/brokers/${slug}`);
        const { computedAt: _at, ...rest } = score as Record<string, unknown>;
        return { broker, rest };
      }),
    );
  };
  const before = await answers(service);
  expect(before).toHaveLength(4);
  await cli('backup', scratch.file('backup'), ...by);
  const empty = { MONGODB_URL: newSharedDatabase(), DATA_DIR: scratch.file('restored') };
  succeeded(await runBeside(['restore', scratch.file('backup'), '--accept-lost-erasures'], empty));
  const restored = await startService(empty);
  try {
    await restored.settle();
    expect(await answers(restored)).toEqual(before);
  } finally {
    await restored.close();
    await dropSharedDatabase(empty.MONGODB_URL);
  }
});
