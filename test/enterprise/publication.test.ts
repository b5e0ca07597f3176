import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { VerifyError, verifyProof, verifyPublication } from '@broker-transparency/client/verify';
import { PublicationFile } from '@broker-transparency/contract/enterprise';
import type { Publication } from '@broker-transparency/kernel';
import { parseProof } from '@broker-transparency/log';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { runBeside, type Settings } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';
import { createPolicy, newLogKey, ORIGIN, type TestKey, untilAllSigned } from '../support/signed-log.ts';

const NAME = 'Alpha & <Sons> "FX"';

let scratch: Scratch;
let keys: [TestKey, TestKey, TestKey];
let data: Settings;
let service: LocalService;
let media: AsCustomer;
/** A publication of the first signed day, as JSON and as a page. */
let json: string;
let page: string;

const bring = async (rows: readonly object[], settings: Settings): Promise<void> => {
  const file = await scratch.ndjson('brokers.ndjson', rows);
  succeeded(await runBeside(['import', 'brokers', file], settings));
};
const today = (): string => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  scratch = await createScratch();
  keys = [
    await newLogKey(scratch, 'first.key'),
    await newLogKey(scratch, 'second.key'),
    await newLogKey(scratch, 'third.key'),
  ];
  data = { MONGODB_URL: newSharedDatabase(), DATA_DIR: scratch.file('data') };
  const rows = [
    brokerRow('alpha', { name: NAME }),
    brokerRow('beta'),
    brokerRow('unrated', { licensesCheckedAt: null }),
  ];
  await bring(rows, { ...data, CLOCK: '-2d' });
  service = await startService({ ...data, LOG_KEY: keys[0].file });
  media = await grantCustomer(service, 'acme', 'media');
  expect(expectProblem(await media('/brokers/alpha/publication')).code).toBe('not_found');
  succeeded(await service.cli('admin', 'job', 'run', 'record-day'));
  await untilAllSigned(service);
  json = (await media('/brokers/alpha/publication')).text;
  page = (await media('/brokers/alpha/publication?format=html')).text;
});
afterAll(async () => {
  await service?.remove();
  await dropSharedDatabase(data['MONGODB_URL']);
  await scratch?.remove();
});

/** Returns the message with which a file is refused. */
const refusal = async (file: string, policy = createPolicy(keys[0])): Promise<string> => {
  const error = await verifyPublication(file, { policy }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof VerifyError)) throw error ?? new Error('it is accepted');
  return `${error.code}: ${error.message}`;
};

const changed = (change: (publication: { [K in keyof Publication]: Publication[K] }) => object): string =>
  `${JSON.stringify(change(JSON.parse(json)), null, 2)}\n`;

test('a publication is a file with the values that its proofs show and the terms of the plan', async () => {
  const answer = await media('/brokers/alpha/publication');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename="alpha-${today()}.json"`,
  });
  const file = PublicationFile.strict().parse(answer.json());
  expect(file).toMatchObject({
    broker: { slug: 'alpha', name: NAME },
    rating: { date: today(), color: expect.any(String), value: expect.any(Number) },
    publisher: { host: 'ratings.example' },
    log: { origin: ORIGIN, keys: [keys[0].verifierKey] },
    terms: { republication: 'with-citation' },
  });
  expect(file.citation).toContain(`${NAME} (alpha): ${file.rating.value} of 100`);
  const { publication, level } = await verifyPublication(answer.text, { policy: createPolicy(keys[0]) });
  expect(publication).toEqual(file);
  expect(level).toBe('logged');
  const { score } = await verifyProof(file.proofs.rating, createPolicy(keys[0]));
  expect(score).toMatchObject({ slug: 'alpha', value: file.rating.value, color: file.rating.color });
  const institution = await grantCustomer(service, 'bank', 'institution');
  const theirs = (await institution('/brokers/alpha/publication')).json<Publication>();
  expect(theirs.terms.republication).toBe('internal');
});

test('each day has a file of its own, and so has a broker that is not rated', async () => {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const earlier = await media(`/brokers/alpha/publication?date=${day}`);
  const { publication } = await verifyPublication(earlier.text, { policy: createPolicy(keys[0]) });
  expect(publication.rating.date).toBe(day);
  const unrated = await media('/brokers/unrated/publication');
  const verified = await verifyPublication(unrated.text, { policy: createPolicy(keys[0]) });
  expect(verified.publication.rating).toMatchObject({ value: null, color: 'gray' });
  expect(verified.publication.citation).toContain('not rated');
});

test('a page has the same facts, runs and loads nothing, and verifies too', async () => {
  const { headers, text } = await media('/brokers/alpha/publication?format=html');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(text).not.toMatch(/ (src|href|on\w+)=/i);
  expect(text.match(/<script/g)).toEqual(['<script']);
  expect(text).toContain('<h1>Alpha &amp; &lt;Sons&gt; &quot;FX&quot;</h1>');
  const [, path = ''] = /drop it on the page ratings\.example(\S+)\.<\/p>/.exec(text) ?? [];
  expect(await send(service.origin + path)).toMatchObject({ status: 200, text: expect.stringContaining('id="keys"') });
  const { publication } = await verifyPublication(text, { policy: createPolicy(keys[0]) });
  expect(publication).toEqual(JSON.parse(json));
});

test('answers 404 for a publication of an unknown broker or day, and 400 for an unknown format', async () => {
  expect(expectProblem(await media('/brokers/nobody/publication')).code).toBe('broker_not_found');
  for (const date of ['2001-01-01', '2126-01-01'])
    expect(expectProblem(await media(`/brokers/alpha/publication?date=${date}`)).code).toBe('not_found');
  expect(expectProblem(await media('/brokers/alpha/publication?format=pdf')).code).toBe('invalid_request');
  expect((await send(`${service.origin}/enterprise/v1/brokers/alpha/publication`)).status).toBe(401);
});

describe('a tampered file', () => {
  test.each<[string, (file: Publication) => object, RegExp]>([
    ['value', (file) => ({ ...file, rating: { ...file.rating, value: 99 } }), /rating\.value: the file says 99, and /],
    ['color', (file) => ({ ...file, rating: { ...file.rating, color: 'red' } }), /rating\.color: the file says "red"/],
    ['date', (file) => ({ ...file, rating: { ...file.rating, date: '2020-01-01' } }), /rating\.date: the file says/],
    ['name', (file) => ({ ...file, broker: { ...file.broker, name: 'Beta' } }), /broker\.name: the file says "Beta"/],
    ['version', (file) => ({ ...file, methodology: { ...file.methodology, version: '1' } }), /methodology\.version/],
    ['hash', (file) => ({ ...file, methodology: { ...file.methodology, sha256: '0' } }), /methodology\.sha256/],
    ['citation', (file) => ({ ...file, citation: 'All is well.' }), /citation: the file says "All is well\."/],
    ['publisher', (file) => ({ ...file, publisher: { host: 'evil.example' } }), /publisher\.host/],
    ['terms', (file) => ({ ...file, terms: { ...file.terms, text: 'Anything.' } }), /terms\.text/],
    [
      'other terms',
      (file) => ({ ...file, terms: { republication: 'any', text: '' } }),
      /terms\.republication: expected/,
    ],
    ['more', (file) => ({ ...file, note: 'Approved.' }), /^not_as_proven: note: the file says "Approved\."/],
    ['less', ({ citation, ...file }) => file, /citation: the file says undefined/],
    [
      'format',
      (file) => ({ ...file, format: 'x/2' }),
      /^malformed: format: expected broker-transparency-publication\/1/,
    ],
    ['no proofs', (file) => ({ ...file, proofs: null }), /proofs of the file: expected an object/],
    [
      'swapped',
      (file) => ({ ...file, proofs: { ...file.proofs, broker: file.proofs.methodology } }),
      /proofs\.broker: /,
    ],
    ['no rating', (file) => ({ ...file, proofs: { ...file.proofs, rating: file.proofs.broker } }), /proves no rating/],
    ['no keys', (file) => ({ ...file, log: { ...file.log, keys: [] } }), /^not_as_proven: log\.keys/],
    [
      'key',
      (file) => ({ ...file, log: { ...file.log, keys: ['a+b+c'] } }),
      /^malformed: log\.keys: the policy: line 1/,
    ],
    [
      'proof',
      (file) => ({ ...file, proofs: { ...file.proofs, rating: file.proofs.rating.replace(/^index \d+/m, 'index 1') } }),
      /^not_in_log: proofs\.rating: /,
    ],
  ])('refuses a tampered file and names the wrong fact: %s', async (_, change, message) => {
    expect(await refusal(changed(change as never))).toMatch(message);
  });

  test('refuses a file of another key', async () => {
    const other = (await newLogKey(scratch, 'other.key')).verifierKey;
    expect(await refusal(json, `log ${other}\nquorum none\n`)).toMatch(/^not_signed: proofs\.rating: no key of/);
    const named = (file: Publication) => ({ ...file, log: { ...file.log, keys: [other] } });
    expect(await refusal(changed(named as never))).toMatch(/^not_as_proven: log\.keys/);
  });

  test('refuses a file with the entry of another broker', async () => {
    const other = (await media('/brokers/beta/publication')).json<Publication>();
    const mixed = (file: Publication) => ({ ...file, proofs: { ...file.proofs, broker: other.proofs.broker } });
    expect(await refusal(changed(mixed as never))).toMatch(
      /proofs\.broker: it is about something else than the rating/,
    );
  });

  test('refuses a file with any character changed, as JSON and as a page', async () => {
    for (const file of [json, page]) {
      const accepted: number[] = [];
      for (let at = 0; at < file.length; at += 13) {
        const other = file[at] === 'A' ? 'B' : 'A';
        const forged = file.slice(0, at) + other + file.slice(at + 1);
        await refusal(forged).catch(() => accepted.push(at));
      }
      expect(accepted).toEqual([]);
      expect(await refusal(file.slice(0, -2))).toMatch(/malformed|line \d+/);
      expect(await refusal(`${file}<b>100 of 100</b>`)).toMatch(/malformed|line \d+: the file says/);
    }
    const rating = JSON.parse(json).rating as Publication['rating'];
    const shown = page.replace(`<p>${rating.value} of 100`, '<p>100 of 100');
    expect(await refusal(shown)).toMatch(/^not_as_proven: line \d+: the file says "<p>100 of 100/);
  });

  test('accepts a file whose line ends a mail has changed', async () => {
    for (const file of [json, page])
      await verifyPublication(`\uFEFF${file.replaceAll('\n', '\r\n')}`, { policy: createPolicy(keys[0]) });
  });
});

const cli = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));
const verify = (...args: string[]): Promise<{ code: number; out: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [cli, 'verify', ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, out: stdout + stderr }),
    );
  });

test('the command verifies both files, and ends with 1 for a tampered one', async () => {
  for (const [name, text] of [
    ['alpha.json', json],
    ['alpha.html', page],
  ] as const) {
    const file = scratch.file(name);
    await writeFile(file, text);
    const { code, out } = await verify(file, '--key', keys[0].verifierKey);
    expect(out).toContain('broker       Alpha & <Sons> "FX" (alpha)');
    expect(out).toContain('(not proven)');
    expect(code).toBe(0);
    await writeFile(file, text.replace('of 100, ', 'of 10, '));
    const wrong = await verify(file, '--key', keys[0].verifierKey);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/NOT VERIFIED: (citation|line \d+): the file says/);
  }
});

describe('the page that verifies', () => {
  let browser: Browser;
  let tab: Page;
  beforeAll(async () => {
    browser = await openChromium();
    tab = await browser.newPage();
  });
  afterAll(() => browser?.close());

  /** Gives a file to the page, and returns the class and the text of what it shows. */
  const drop = async (content: string): Promise<[outcome: string | null, text: string]> => {
    await tab.evaluate("document.getElementById('result').replaceChildren()");
    const file = { name: 'alpha.html', mimeType: 'text/html', buffer: Buffer.from(content) };
    await tab.locator('#file').setInputFiles(file);
    const result = tab.locator('#result');
    await result.locator('h2').waitFor();
    return [await result.getAttribute('class'), (await result.textContent()) ?? ''];
  };

  test('the page that verifies is served with a policy for its own script and style alone, also from a disk', async () => {
    for (const path of ['/verify', '/de/verify']) {
      const { status, headers, text } = await send(service.origin + path);
      expect(status).toBe(200);
      const [script, style] = ['script', 'style'].map((tag) => {
        const [, own = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(text) ?? [];
        return `'sha256-${createHash('sha256').update(own).digest('base64')}'`;
      });
      const policy = `default-src 'none'; script-src ${script}; style-src ${style}; img-src data:; base-uri 'none'`;
      expect(headers['content-security-policy']).toBe(`${policy}; form-action 'self'; frame-ancestors 'none'`);
      expect(text.replaceAll('&#39;', "'")).toContain(`content="${policy}; form-action 'self'"`);
      expect(text.match(/<script>/g)).toEqual(['<script>']);
      expect(text).not.toMatch(/ src=|fetch\(|XMLHttpRequest|rel="stylesheet"/);
    }
  });

  test('verifies a publication, and says what is wrong with another file', async () => {
    await tab.goto(`${service.origin}/verify`);
    await tab.locator('#keys').fill(`\n${keys[0].verifierKey}\n`);
    expect(await drop(page)).toEqual(['outcome good', expect.stringContaining(`${NAME} (alpha)`)]);
    expect(await drop(json)).toEqual(['outcome good', expect.stringContaining('alpha.html: verified')]);
    expect(await drop(page.replace('of 100, ', 'of 10, '))).toEqual([
      'outcome bad',
      expect.stringMatching(/NOT VERIFIED.*not_as_proven/),
    ]);
    for (const content of ['', '{', 'x'])
      expect((await drop(content))[1]).toContain('none that this page can check, or it is damaged');
  });

  test('verifies by the keys of a publication where the reader has none, and says where to find others', async () => {
    await tab.goto(`${service.origin}/de/verify`);
    await tab.locator('#own').check();
    expect(await drop(json)).toEqual(['outcome unsure', expect.stringContaining('unversehrt nach ihren eigenen')]);
    const { proofs } = JSON.parse(json);
    for (const own of [{ texts: {} }, { statement: {} }])
      expect((await drop(JSON.stringify({ ...own, proof: proofs.rating })))[1]).toMatch(
        /gilt das Kästchen nicht für sie.*\/transparency\/v1\/log\/\w+\/policy/s,
      );
  });

  test('a copy of the page on a disk verifies without the service, and has no links to it', async () => {
    const copy = await scratch.write('page.html', (await send(`${service.origin}/verify`)).text);
    await tab.context().setOffline(true);
    await tab.goto(`file://${copy}`);
    await tab.locator('#keys').fill(keys[0].verifierKey);
    expect((await drop(json))[0]).toBe('outcome good');
    expect(await tab.locator('header, footer').count()).toBe(0);
    await tab.context().setOffline(false);
  });
});

/** Goes on with other keys of the log, until one of their checkpoints covers a new entry. */
const rotateTo = async (...to: TestKey[]): Promise<void> => {
  await service.close();
  service = await startService({ ...data, LOG_KEY: to.map(({ file }) => file).join(',') });
  media = await grantCustomer(service, 'acme', 'media');
  await bring([brokerRow(`signed-by-${to.length}`)], data);
  await untilAllSigned(service);
};

test('an old file verifies after two rotations of the key, by the keys that stay published', async () => {
  const [first, second, third] = keys;
  await rotateTo(first, second);
  const between = (await media('/brokers/alpha/publication')).text;
  await rotateTo(third);
  const published = await send(`${service.origin}/transparency/v1/log/a/keys`);
  expect(published.text).toBe(keys.map(({ verifierKey }) => `${verifierKey}\n`).join(''));
  const lines = published.text.trim().split('\n');
  const policy = [...lines.map((key) => `log ${key}`), 'quorum none', ''].join('\n');
  for (const old of [json, page])
    expect((await verifyPublication(old, { policy })).publication).toEqual(JSON.parse(json));
  expect(await refusal(json, createPolicy(third))).toMatch(/^not_signed: proofs\.rating/);
  for (const key of [first, second]) {
    const { publication } = await verifyPublication(between, { policy: createPolicy(key) });
    expect(publication.log.keys).toEqual([first.verifierKey, second.verifierKey]);
  }
  const { publication } = await verifyPublication((await media('/brokers/alpha/publication')).text, {
    policy: createPolicy(third),
  });
  expect(publication.log.keys).toEqual([third.verifierKey]);
  expect(publication.log.size).toBeGreaterThan(parseProof(JSON.parse(json).proofs.rating).tree.size);
});
