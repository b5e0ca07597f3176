import { fileURLToPath } from 'node:url';
import vectors from '@broker-transparency/log/vectors.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { createTestServer } from '../testing.ts';
import { main } from './main.ts';

const server = createTestServer({ rateLimit: 1_000_000 });
const [first] = server.brokers;
const slug = first?.slug ?? '';
const [regulator] = server.regulators;

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly fetch?: typeof server.fetch;
}

/** Runs the command line against the test server. */
const run = async (args: string, { env = {}, files = {}, fetch = server.fetch }: Surroundings = {}) => {
  const result = { code: -1, out: '', error: '' };
  result.code = await main(args.split(' ').filter(Boolean), {
    env: { BROKER_TRANSPARENCY_URL: server.baseUrl, ...env },
    read: async (file) => {
      const text = files[file];
      if (text === undefined) throw new Error(`ENOENT: no such file, open '${file}'`);
      return text;
    },
    print: (output) => {
      result.out += output;
    },
    printError: (output) => {
      result.error += output;
    },
    fetch,
  });
  return result;
};

/** A fetch of the test server that changes its answers about one broker. */
const changing =
  (change: (broker: NonNullable<typeof first>) => void): typeof server.fetch =>
  async (...args) => {
    const response = await server.fetch(...args);
    const broker = await response.json();
    change(broker);
    return Response.json(broker, { headers: response.headers });
  };

const review = JSON.stringify({
  broker: slug,
  rating: 4,
  language: 'en',
  title: 'Paid within two days',
  content: 'I withdrew twice this year, and was paid within two days.',
});
const complaint = JSON.stringify({
  broker: slug,
  category: 'withdrawal',
  title: 'No answer for a month',
  consentToForward: true,
  content: 'I asked for my balance on 1 October, and heard nothing.',
});

const READS = [
  ['search alpha mark', '/search?q=alpha+mark'],
  ['list --color green --limit 2 --offset 1', '/brokers?color=green&limit=2&offset=1'],
  [
    `list --country XA --regulator test-xa --status operating --slugs nobody,${slug} --updated-since 0`,
    `/brokers?country=XA&regulator=test-xa&status=operating&slugs=${slug}%2Cnobody&updatedSince=0`,
  ],
  ['list --license none --warnings unknown', '/brokers?license=none&warnings=unknown'],
  [`get ${slug}`, `/brokers/${slug}`],
  ['regulators', '/regulators'],
  [`regulator ${regulator?.code}`, `/regulators/${regulator?.code}`],
  [`reviews ${slug} --limit 2`, `/reviews?broker=${slug}&limit=2`],
  ['news --limit 2', '/news?limit=2'],
] as const;

test.each(READS)('%s asks for %s, and --json prints the answer', async (args, path) => {
  const { code, out, error } = await run(`${args} --json`);
  const answer = await (await server.fetch(server.baseUrl + path)).json();
  expect({ code, error, answer: JSON.parse(out) }).toEqual({ code: 0, error: '', answer });
});

test.each(READS)('%s prints a table with the names from the answer', async (args, path) => {
  const { code, out } = await run(args);
  const answer = await (await server.fetch(server.baseUrl + path)).json();
  expect(code).toBe(0);
  const [item] = answer.data ?? [answer];
  expect(out).toContain(item.title ?? item.name);
  expect(out).not.toMatch(/undefined|\[object|NaN/);
});

test.each([
  ['list --limit 3', `3 of ${server.brokers.length}. More: --offset 3, or --all`],
  ['news --limit 3', 'More: --cursor '],
  ['list --updated-since 0 --limit 3', 'More: --updated-since '],
  ['list --updated-since 0 --limit 3 --country ZZ', 'Gone: '],
  ['list --updated-since 999999999', 'Later changes: --updated-since '],
])('%s says how to get the next page', async (args, text) => {
  expect((await run(args)).out).toContain(text);
});

test.each([
  ['list', server.brokers.length],
  ['news', server.news.length],
])('%s --all prints every item', async (args, count) => {
  const { out } = await run(`${args} --all --limit 7 --json`);
  expect(JSON.parse(out).data).toHaveLength(count);
});

test.each([
  ['list', server.brokers.length],
  ['news', server.news.length],
])('%s --all prints the JSON that a single page would have', async (args, count) => {
  const { out } = await run(`${args} --all --json`);
  expect(out).toBe(
    `${JSON.stringify({ data: JSON.parse((await run(`${args} --limit 100 --json`)).out).data }, null, 2)}\n`,
  );
  expect(JSON.parse(out).data).toHaveLength(count);
});

test('--all asks for pages of 100 items, and prints an empty list as JSON', async () => {
  const urls: string[] = [];
  const fetch: typeof server.fetch = (url, init) => {
    urls.push(String(url));
    return server.fetch(url, init);
  };
  expect(JSON.parse((await run('list --all --offset 5000 --json', { fetch })).out)).toEqual({ data: [] });
  expect(urls.map((url) => new URL(url).searchParams.get('limit'))).toEqual(['100']);
});

test('--all prints each page before it asks for the next one', async () => {
  let requests = 0;
  const fetch: typeof server.fetch = (url, init) =>
    requests++ < 2 ? server.fetch(url, init) : Promise.reject(new Error('the line is cut'));
  const { code, out } = await run('list --all --limit 7 --timeout 0.3', { fetch });
  const { data } = JSON.parse((await run('list --limit 14 --json')).out);
  expect(code).toBe(4);
  expect(out.match(/^slug /gm)).toHaveLength(2);
  for (const broker of data) expect(out).toContain(broker.slug);
});

test('check confirms the score of every broker', async () => {
  for (const broker of server.brokers) {
    const { code, out } = await run(`check ${broker.slug}`);
    expect(out).toContain(`${broker.slug}: the score is what the methodology makes of the answer`);
    expect(out).not.toContain('DIFFERS');
    expect(code).toBe(0);
  }
});

test('check names the parts that differ, and exits with 1', async () => {
  const fetch = changing(({ checklist }) => {
    for (const item of checklist) item.met = null;
  });
  const { code, out } = await run(`check ${slug}`, { fetch });
  expect(code).toBe(1);
  expect(out).toMatch(/^transparency +DIFFERS/m);
  expect(out).toMatch(/^regulation +matches/m);
  expect(out).toContain('the score is not what the methodology makes of the answer');
  const { matches, parts } = JSON.parse((await run(`check ${slug} --json`, { fetch })).out);
  expect(matches).toBe(false);
  expect(parts.find(({ part }: { part: string }) => part === 'transparency')).toMatchObject({ matches: false });
});

test.each<[string, typeof server.fetch, RegExp]>([
  [
    'check',
    changing((broker) => Reflect.deleteProperty(broker, 'complaintsByMonth')),
    /lacks something: the answer has no complaintsByMonth/,
  ],
  [
    'get',
    changing((broker) => Reflect.deleteProperty(broker, 'licenses')),
    /lacks something: .*get with --json shows it/,
  ],
])('%s of an incomplete answer exits with 4', async (command, fetch, text) => {
  const { code, out, error } = await run(`${command} ${slug}`, { fetch });
  expect({ code, out }).toEqual({ code: 4, out: '' });
  expect(error).toMatch(text);
});

describe('verify', () => {
  const files = {
    'a.tlog-proof': vectors.dayProof,
    '-': vectors.proof,
    policy: vectors.policies.twoOf3,
    strict: vectors.policies.allOf3,
  };

  test('verify prints the level, the witnesses, the score and the entry of a proof in a file', async () => {
    const { code, out, error } = await run('verify a.tlog-proof --policy policy', { files });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^verified +witnessed: enough witnesses have seen the same log$/m);
    expect(out).toMatch(/^witnesses +2 of 3 \(w1, w2\); the policy requires 2$/m);
    expect(out).toMatch(/^entry +number 299 of 300$/m);
    expect(out).toMatch(/^score +broker-3 on 2026-11-23: 73\.5, green$/m);
    expect(out).toContain('\n  "kind": "day"');
  });

  test('verify of the standard input by a key says that the log alone vouches', async () => {
    const { code, out } = await run(`verify - --key ${vectors.verifierKey}`, { files });
    expect(code).toBe(0);
    expect(out).toMatch(/^verified +logged: the log alone says so\. Without witnesses/m);
    expect(out).toMatch(/^seen +–$/m);
    expect(out).not.toMatch(/^score/m);
    const json = await run(`verify - --key ${vectors.verifierKey} --json`, { files });
    expect(JSON.parse(json.out)).toMatchObject({ verified: true, level: 'logged', index: 17, size: 300 });
  });

  test('verify of an address fetches the proof', async () => {
    const asked: string[] = [];
    const fetch: typeof server.fetch = async (url) => {
      asked.push(String(url));
      return new Response(vectors.proof);
    };
    const { code } = await run('verify https://log.example/proof --policy policy', { files, fetch });
    expect({ code, asked }).toEqual({ code: 0, asked: ['https://log.example/proof'] });
  });

  test.each([
    [async () => new Response('', { status: 404 }), 3, 'https://log.example/proof answers 404'],
    [() => Promise.reject(new TypeError('fetch failed')), 4, 'https://log.example/proof does not answer: fetch failed'],
  ])('verify says so if an address gives no proof: %#', async (fetch, exit, text) => {
    const { code, error } = await run('verify https://log.example/proof --policy policy', { files, fetch });
    expect({ code, error }).toEqual({ code: exit, error: `broker-transparency: ${text}\n` });
  });

  test.each([
    ['verify - --policy strict', 'too_few_witnesses', /the policy requires at least 3/],
    ['verify policy --policy policy', 'malformed', /the proof: line 1: expected c2sp\.org/],
  ])('%s proves nothing, and exits with 1', async (args, reason, message) => {
    const { code, out, error } = await run(args, { files });
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(out).toMatch(/^NOT VERIFIED: /);
    expect(out).toMatch(message);
    expect(JSON.parse((await run(`${args} --json`, { files })).out)).toMatchObject({ verified: false, code: reason });
  });

  test.each([
    ['verify', /FILE is missing: write verify FILE/],
    ['verify -', /pass --policy FILE or --key VKEY/],
    [`verify - --policy policy --key ${vectors.verifierKey}`, /pass --policy FILE or --key VKEY/],
    ['verify - --policy nowhere', /nowhere cannot be read: ENOENT/],
    ['verify nowhere --policy policy', /nowhere cannot be read: ENOENT/],
    ['verify - --policy -', /the policy: line 1: expected log, witness, group or quorum/],
    ['verify - --key log.example', /the policy: line 1: expected a verifier key/],
    ['verify - --limit 1', /verify takes no --limit; it takes --policy, --key/],
  ])('%s is wrong usage', async (args, message) => {
    const { code, out, error } = await run(args, { files });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toMatch(message);
  });
});

test.each([
  ['submit-review', { 'review.json': review }, 'review.json', 'pending'],
  ['submit-review', { '-': review }, '-', 'pending'],
  ['submit-complaint', { '-': complaint }, '-', 'received'],
])('%s sends %j', async (command, files, file, status) => {
  const env = { BROKER_TRANSPARENCY_TOKEN: server.token() };
  const { code, out, error } = await run(`${command} ${file}`, { env, files });
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toMatch(new RegExp(`^status +${status}$`, 'm'));
});

test('a review that may have arrived can be sent again with its key, and is stored once', async () => {
  const surroundings = { env: { BROKER_TRANSPARENCY_TOKEN: server.token() }, files: { '-': review } };
  const before = server.reviews.length;
  server.fail('unavailable', { call: 'reviews.create', times: 3, retryAfter: 0 });
  const failed = await run('submit-review -', surroundings);
  expect(failed.code).toBe(3);
  const key = /add (--idempotency-key \S+)\n/.exec(failed.error)?.[1];
  const ids = [];
  for (let times = 0; times < 2; times++)
    ids.push(JSON.parse((await run(`submit-review - ${key} --json`, surroundings)).out).id);
  expect(new Set(ids).size).toBe(1);
  expect(server.reviews.length).toBe(before + 1);
});

test.each<[string, Surroundings, RegExp]>([
  ['', {}, /^broker-transparency: a command is missing: search, list, get/],
  ['gett alpha', {}, /there is no command "gett"; there are search, list, get/],
  ['enterprise get /tmp/x --key k', {}, /BROKER_TRANSPARENCY_ENTERPRISE_KEY must be your key/],
  ['enterprise check /nowhere/at-all --key k', {}, /\/nowhere\/at-all has no copy: get it first/],
  ['enterprise check x', {}, /enterprise check needs to know whom you trust: pass --policy FILE or --key VKEY/],
  ['enterprise get', {}, /DIR is missing: write enterprise get DIR/],
  ['toString', {}, /there is no command "toString"/],
  ['get', {}, /SLUG is missing: write get SLUG/],
  ['get a b', {}, /"b" is too much: write get SLUG/],
  ['news today', {}, /"today" is too much: write news$/m],
  ['list --colour green', {}, /there is no option --colour; there are --color, --country/],
  ['get a --limit 5', {}, /get takes no --limit; it takes --json, --base-url/],
  ['list --all --updated-since 0', {}, /--all does not go with --updated-since: each page says where to go on/],
  ['list --updated-since yesterday', {}, /--updated-since must be a whole number, not "yesterday"/],
  ['list --limit', {}, /'--limit <value>' argument missing/],
  ['list --limit five', {}, /--limit must be a whole number, not "five"/],
  ['list --timeout 0', {}, /--timeout must be a number of seconds above 0, not "0"/],
  ['get ..', {}, /slug must be a non-empty string that can stand in a path/],
  ['list --base-url a.example', {}, /--base-url or BROKER_TRANSPARENCY_URL must be an http or https address/],
  ['list', { env: { BROKER_TRANSPARENCY_TOKEN: 'a b' } }, /BROKER_TRANSPARENCY_TOKEN must be a bearer token/],
  ['submit-review none.json', {}, /none\.json cannot be read: ENOENT/],
  ['submit-review -', { files: { '-': '{' } }, /the standard input is not JSON/],
  ['submit-review -', { files: { '-': '1' } }, /the body must be an object/],
])('"%s" is a usage error that says what is right', async (args, surroundings, text) => {
  const { code, out, error } = await run(args, surroundings);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toMatch(text);
  expect(error).toMatch(/\nSee broker-transparency --help\n$/);
});

test.each<[string, Surroundings, string[]]>([
  ['get nobody', {}, ['404 broker_not_found', '`broker-transparency search WORDS` finds slugs.']],
  ['regulator nobody', {}, ['404 regulator_not_found', '`broker-transparency regulators` lists codes.']],
  ['list --limit 1000', {}, ['400 invalid_request', '\n  limit: ']],
  ['submit-review -', { files: { '-': review } }, ['401 authentication_required', 'Set BROKER_TRANSPARENCY_TOKEN']],
  ['submit-review -', { files: { '-': '{}' }, env: { BROKER_TRANSPARENCY_TOKEN: server.token() } }, ['#/rating: ']],
])('"%s" is refused with advice on what to do', async (args, surroundings, texts) => {
  const { code, out, error } = await run(args, surroundings);
  expect({ code, out }).toEqual({ code: 3, out: '' });
  for (const text of texts) expect(error).toContain(text);
});

test('a folder that cannot be one is named, with what is wrong', async () => {
  const file = fileURLToPath(import.meta.url);
  const env = { BROKER_TRANSPARENCY_ENTERPRISE_KEY: 'bte_live_0' };
  const account = () => Promise.resolve(Response.json({ name: 'Example' }));
  const { code, out, error } = await run(`enterprise get ${file}/copy --key ${vectors.verifierKey}`, {
    env,
    fetch: account,
  });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toBe(`broker-transparency: ${file}/copy cannot be used: part of the path is a file, not a folder\n`);
});

test('a rate-limited command says when to try again', async () => {
  server.fail('rate_limited', { retryAfter: 90 });
  const { code, error } = await run('news');
  expect(code).toBe(3);
  expect(error).toContain('Try again in 90 seconds.');
});

test('names an address where nothing answers, and how to set another one', async () => {
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  const { code, error } = await run('news --timeout 0.1', { fetch });
  expect(code).toBe(4);
  expect(error).toContain('connect ECONNREFUSED');
  expect(error).toContain(`No service answers at ${server.baseUrl}. --base-url or BROKER_TRANSPARENCY_URL says where`);
});

test('tells a proxy’s page from an answer of the API', async () => {
  server.fail('html', { status: 403 });
  const { code, error } = await run('news');
  expect(code).toBe(4);
  expect(error).toContain('Something other than the API answers at');
});

test('--base-url takes precedence over the environment', async () => {
  const env = { BROKER_TRANSPARENCY_URL: 'https://elsewhere.example/api/v1' };
  expect((await run(`news --base-url ${server.baseUrl}`, { env })).code).toBe(0);
});

test('prints the token nowhere', async () => {
  const token = server.token({ scopes: [] });
  const { out, error } = await run('submit-review -', {
    env: { BROKER_TRANSPARENCY_TOKEN: token },
    files: { '-': review },
  });
  expect(error).toContain('403 insufficient_scope');
  expect(out + error).not.toContain(token);
});

test('--help names every command and option, and --version prints the version', async () => {
  const { code, out } = await run('get --help');
  expect(code).toBe(0);
  for (const word of ['search WORDS…', 'check SLUG', '--color COLOR', 'BROKER_TRANSPARENCY_TOKEN', 'Exit codes'])
    expect(out).toContain(word);
  expect((await run('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('replaces control characters by blanks in text, and escapes them in JSON', async () => {
  const name = 'Evil\u001b[31m\u202eName';
  const fetch = changing((broker) => {
    broker.name = name;
  });
  expect((await run(`get ${slug}`, { fetch })).out).toContain('Evil [31m Name');
  const { out } = await run(`get ${slug} --json`, { fetch });
  expect(out).toContain('Evil\\u001b[31m\\u202eName');
  expect(JSON.parse(out).name).toBe(name);
});
