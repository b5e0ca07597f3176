import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { version } from '../../version.ts';
import { COMMAND_GROUPS } from './commands.ts';
import { run } from './program.ts';

/** No test here may reach a database: this setting stops a command that gets that far with exit code 1. */
const NO_DATABASE = { PORT: 'none' };
const STOPPED = /^Wrong setting: PORT must be a whole number from 0 to 65535 \(it is "none"\)\n$/;

let out: string;
let err: string;
beforeEach(() => {
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const call = (...argv: string[]): Promise<number> => run(['node', 'broker-rating', ...argv], NO_DATABASE);

describe('help', () => {
  test.each([
    ['--help'],
    ['-h'],
    ['help'],
    ['token', '--help'],
    ['token', 'create', '--help'],
    ['help', 'token'],
    ['import', 'brokers', '--help'],
    ['serve', '--help'],
  ])('prints help for %s %s %s and exits with 0', async (...argv) => {
    expect(await call(...argv.filter((word) => word !== undefined))).toBe(0);
    expect(out).toContain('Usage: broker-rating');
    expect(err).toBe('');
  });

  test('names every command', async () => {
    await call('--help');
    const names = [...out.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
    const known = COMMAND_GROUPS.flatMap(({ commands }) => commands.map(({ words }) => words));
    expect(names).toEqual([...known, 'admin', 'help']);
  });
});

const HEADINGS = ['Commands:', ...COMMAND_GROUPS.map(({ heading }) => heading), 'Plumbing:'];

/** Returns the names in those parts of a help text that list commands. */
const listCommands = (help: string): string[] =>
  help
    .split('\n\n')
    .filter((part) => HEADINGS.includes(part.split('\n')[0] as string))
    .flatMap((part) => [...part.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((match) => match[1] as string))
    .filter((name) => name !== 'help');

test('--help describes every command and its options, with an example for each command that acts', async () => {
  const seen: string[] = [];
  const visit = async (path: readonly string[]): Promise<void> => {
    out = '';
    const name = path.join(' ');
    expect(await call(...path, '--help'), name).toBe(0);
    const help = out;
    seen.push(name);
    expect(err, name).toBe('');
    expect(help.replace('|licence', ''), name).toContain(`Usage: ${['broker-rating', ...path].join(' ')} `);
    expect(help.split('\n')[2], name).toMatch(/\w{3,}/);
    const lines = help.split('\n').filter((line) => /^ {2}(-|[a-z])/.test(line) && !/^ {2}broker-rating/.test(line));
    const undescribed = lines.filter((line) => !/^ {2}\S.* {2,}\S/.test(line) && line.length < 40);
    expect(undescribed, name).toEqual([]);
    expect(help.match(/\(default: (\d{6,}|"\d{4}-).*/g), `${name} shows each default as its flag takes it`).toBeNull();
    const commands = listCommands(help);
    if (commands.length === 0) expect(help, name).toContain(`Example:\n  `);
    if (commands.length === 0) expect(help, name).toContain(`broker-rating ${name}`);
    for (const command of commands) await visit([...path, command]);
  };
  await visit([]);
  expect(seen.length).toBeGreaterThan(60);
});

describe('the version', () => {
  test.each(['--version', '-V'])('%s prints the version and exits with 0', async (option) => {
    expect(await call(option)).toBe(0);
    expect(out).toBe(`${version}\n`);
    expect(err).toBe('');
  });
});

/** A complaint without its text. */
const COMPLAINT =
  'complaint add alpha --category withdrawal --title X --consent no --received 2026-11-02 --channel letter'.split(' ');

describe('wrong usage', () => {
  test.each<string[]>([
    [],
    ['bogus'],
    ['--bogus'],
    ['serve', '--bogus'],
    ['serve', 'now'],
    ['admin', 'seed', 'demo'],
    ['token'],
    ['token', 'bogus'],
    ['token', 'create'],
    ['token', 'create', '--subject', 'alice'],
    ['token', 'create', '--scope', 'reviews:write'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:read'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:write,'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:write', '--kyc', 'maybe'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:write', '--expires', 'soon'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:write', '--expires', '0d'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:write', '--expires', '2020-01-01'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:write', '--country', 'Germany'],
    ['token', 'create', '--subject'],
    ['token', 'create', '--subject', 'ali\nce', '--scope', 'reviews:write'],
    ['token', 'create', '--subject', 'alice', '--scope', 'reviews:write', '--label', 'a\u001b[2J'],
    ['token', 'revoke'],
    ['token', 'revoke', 'a', 'b'],
    ['token', 'list', '--limit', '5'],
    ['account', 'kyc', 'alice'],
    ['account', 'kyc', 'alice', 'maybe'],
    ['account', 'kyc', 'alice', 'verified', '--expires', '-1d'],
    ['import', 'bogus', 'file.csv'],
    ['import', 'brokers'],
    ['import', 'brokers', 'a.csv', 'b.csv'],
    ['import', 'brokers', 'a.csv', '--format', 'xml'],
    ['import', 'brokers', 'a.csv', '--dates', 'ydm'],
    ['import', 'brokers', 'a.csv', '--encoding', 'ebcdic'],
    ['broker', 'mark', 'set', 'alpha-markets', 'alpha.png'],
    ['broker', 'mark', 'set', 'alpha-markets', '--reason', 'firm_sent'],
    ['broker', 'mark', 'remove', 'alpha-markets', '--reason', 'ugly'],
    ['complaint', 'add', 'alpha-markets', '--title', 'X', '--consent', 'maybe'],
    ['review', 'list', '--status', 'hidden'],
    ['review', 'list', '--limit', '0'],
    ['review', 'list', '--limit', '1e3'],
    ['review', 'publish'],
    ['review', 'reject', 'r1'],
    ['review', 'remove', 'r1'],
    ['review', 'withdraw', 'r1'],
    ['review', 'reject', 'r1', '--reason', 'I dislike it'],
    ['review', 'remove', 'r1', '--reason', 'insult', '--note', ' '],
    ['review', 'next'],
    ['review', 'next', '--actor', ' '],
    ['review', 'publish', 'r1', '--actor', 'ali\u200bce'],
    ['review', 'flag', 'r1'],
    ['review', 'flag', 'r1', '--remove', '--reason', 'insult'],
    ['review', 'reply', 'r1'],
    ['report', 'decide', 'r1', 'remove'],
    ['report', 'decide', 'r1', 'keep', '--reason', 'insult'],
    ['report', 'add', 'r1', '--reason', 'insult', '--text', 'It insults a person by name.'],
    ['appeal', 'add', '--text', 'It is no insult at all.'],
    ['appeal', 'decide', 'a1', 'confirm', '--note', 'Read again.'],
    ['complaint', 'list', '--status', 'open'],
    COMPLAINT,
    [...COMPLAINT, '--text', 'They do not pay.', '--file', 'letter.txt'],
    ['fact', 'overrule', 'alpha', '--field', 'name', '--source', 'editors'],
    ['mail', 'retry'],
    ['mail', 'retry', 'n_1', '--all'],
    ['news', 'remove', 'n1'],
    ['news', 'remove', 'n1', '--reason', 'I dislike it'],
    ['audit'],
    ['audit', 'list', '--subject', 'r1'],
    ['audit', 'list', '--subject', 'planet:r1'],
    ['audit', 'list', '--subject-kind', 'planet'],
    ['audit', 'list', '--subject', 'review:r1', '--subject-kind', 'review'],
    ['audit', 'list', '--action', 'review.liked'],
    ['audit', 'list', '--action', 'constructor'],
    ['audit', 'list', '--since', 'yesterday'],
    ['audit', 'list', '--until', '2026-02-30'],
    ['audit', 'list', '--limit', '0'],
    ['score'],
    ['admin', 'rebuild', '--check=yes'],
    ['admin', 'migrate', '--to', '0'],
    ['admin', 'migrate', '--to', '1000'],
  ])('%s %s %s %s %s %s %s %s exits with 2 and a message that says what is wrong', async (...words) => {
    const argv = words.filter((word) => word !== undefined);
    expect(await call(...argv)).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(/^error: .+|^Usage: broker-rating/);
    expect(err).not.toContain('Wrong setting');
  });

  test.each<[string[], string]>([
    [['broker', 'set', 'alpha', 'country'], '"country" is not field=value, such as country=IE.'],
    [['broker', 'set', 'alpha', 'country='], '"country=" says nothing. To take a field back: country=null'],
    [['broker', 'set', 'alpha', 'country=IE'], 'Pass --source URL (where it is from) or --reason TEXT (why).'],
    [['broker', 'set', 'alpha', 'domains', '--add', 'a', '--remove', 'b'], 'Give one of --add, --remove and --change.'],
    [
      ['broker', 'export', 'brokers.txt'],
      'The name of "brokers.txt" does not tell its format: add --format csv|ndjson.',
    ],
    [['admin', 'mail', 'test', 'nobody'], '"nobody" is not a mail address.'],
    [['log', 'sign', '--dry-run'], 'log sign has no --dry-run. It signs until a signal arrives.'],
  ])('%j exits with 2 and one line: %s', async (argv, line) => {
    expect(await call(...argv)).toBe(2);
    expect(out).toBe('');
    expect(err).toBe(`${line}\n`);
  });

  test('suggests the nearest command for a misspelt one', async () => {
    expect(await call('tokn')).toBe(2);
    expect(err).toContain("error: unknown command 'tokn'\n(Did you mean token?)");
  });
});

describe('correct usage proceeds to the settings', () => {
  test.each<string[]>([
    ['serve'],
    ['serve', '--demo'],
    ['admin', 'seed', '--actor', 'alice'],
    ['token', 'create', '--subject', 'alice', '--kyc', 'verified', '--scope', 'reviews:write', '--quiet'],
    ['token', 'create', '--subject', 'a', '--scope', 'reviews:write,complaints:write', '--expires', '12h'],
    ['token', 'create', '--subject', 'a', '--scope', 'reviews:write', '--scope', 'complaints:write'],
    ['token', 'revoke', 't1'],
    ['token', 'list', '--json'],
    ['account', 'kyc', 'alice', 'verified', '--provider', 'acme', '--person', '8831', '--expires', '365d'],
    ['review', 'list', '--status', 'published', '--limit', '5', '--json'],
    ['review', 'publish', 'r1'],
    ['review', 'reject', 'r1', '--reason', 'advertising', '--note', 'A link to a shop.'],
    ['review', 'next', '--actor', 'alice', '--json'],
    ['review', 'flag', 'r1', '--remove'],
    ['review', 'reply', 'r1', '--content', 'Thank you.'],
    ['report', 'decide', 'r1', 'keep', '--note', 'Fine.'],
    ['appeal', 'decide', 'a1', 'confirm', '--note', 'Read again.', '--actor', 'bob'],
    ['admin', 'moderation', 'recount', '--check'],
    ['complaint', 'list', '--status', 'received', '--broker', 'alpha-markets'],
    ['news', 'list'],
    ['news', 'remove', 'n1', '--reason', 'incorrect'],
    ['audit', 'list'],
    ['audit', 'list', '--subject', 'license:["a:b"]', '--since', '7d', '--until', '2026-11-01T00:00:00Z'],
    ['audit', 'list', '--by', 'maria', '--action', 'review.published', '--limit', '5', '--json'],
    ['score', 'alpha-markets', '--json'],
    ['admin', 'rebuild', '--check', '--json'],
  ])('%s %s %s %s %s %s %s %s', async (...words) => {
    expect(await call(...words.filter((word) => word !== undefined))).toBe(1);
    expect(err).toMatch(STOPPED);
    expect(out).toBe('');
  });
});

describe('an import', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'program-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('refuses a missing file in one line', async () => {
    const file = join(folder, 'missing.csv');
    expect(await call('import', 'brokers', file)).toBe(1);
    expect(err).toBe(`There is no file "${file}".\n`);
  });

  test('refuses a folder', async () => {
    expect(await call('import', 'news', folder)).toBe(1);
    expect(err).toBe(`"${folder}" is not a file.\n`);
  });

  test('refuses a file whose name implies no format, unless the format is given', async () => {
    const file = join(folder, 'news.txt');
    await writeFile(file, '');
    expect(await call('import', 'news', file)).toBe(2);
    expect(err).toBe(`The name of "${file}" does not tell its format: add --format ndjson|jsonl|csv|xlsx.\n`);
    err = '';
    expect(await call('import', 'news', file, '--format', 'csv')).toBe(1);
    expect(err).toMatch(STOPPED);
  });
});

test('an invalid setting does not reveal a password', async () => {
  const env = { MONGODB_URL: 'mongodb://user:hunter2@db:port' };
  expect(await run(['node', 'broker-rating', 'token', 'list'], env)).toBe(1);
  expect(err).toMatch(/^Wrong setting: MONGODB_URL must be like /);
  expect(err).not.toContain('hunter2');
});
