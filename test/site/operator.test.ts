import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FilledService, reviewIds, startFilledService, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { type LocalService, startService } from '../support/service.ts';
import { buildComplaint } from '../support/submissions.ts';

const PAGES = ['about', 'contact', 'imprint', 'privacy', 'terms', 'corrections', 'independence'];
const PUBLIC_URL = 'https://ratings.example';
const NAME = 'Example Ratings Ltd';

const OPERATOR = {
  OPERATOR_NAME: NAME,
  OPERATOR_ADDRESS: '1 Example Street, 10115 Berlin',
  OPERATOR_COUNTRY: 'DE',
  OPERATOR_CONTACT: 'desk@ratings.example',
  OPERATOR_CORRECTIONS_DAYS: '14',
  OPERATOR_SECURITY_CONTACT: 'https://ratings.example/security',
  OPERATOR_FUNDING: 'Customers pay for the feed.',
};

/** A published review is reported, the report is decided, and a complaint is sent. */
const dispute = async (service: FilledService): Promise<void> => {
  const [review] = await reviewIds(service, 'published');
  const report = { reviewId: review, reason: 'off_topic', text: 'It is about something else than this broker.' };
  const target = `${service.origin}/account/v1/reports`;
  const { status, text, json } = await send(target, { token: service.unverified, body: report });
  expect(status, text).toBe(201);
  succeeded(await service.cli('report', 'decide', json<{ id: string }>().id, 'remove', '--reason', 'off_topic'));
  await service.client(service.verified).complaints.create(buildComplaint('beta-trade'));
};

let stated: FilledService;
let silent: LocalService;
beforeAll(async () => {
  [stated, silent] = await Promise.all([
    startFilledService({ PUBLIC_URL, ...OPERATOR }),
    startService({ PUBLIC_URL, OPERATOR_CONTACT: '' }),
  ]);
  await dispute(stated);
});
afterAll(async () => {
  for (const service of [stated, silent]) await service?.remove();
});

const open = ({ origin }: LocalService, path: string) => send(`${origin}${path}`, { headers: { Accept: 'text/html' } });

describe.each(['', '/de'])('below "%s/"', (prefix) => {
  test.each(PAGES)('the page %s is complete, with and without what the operator states', async (name) => {
    for (const service of [stated, silent]) {
      const { status, text } = await open(service, `${prefix}/${name}`);
      expect(status).toBe(200);
      for (const other of PAGES) expect(text).toContain(`href="${prefix}/${other}"`);
      expect(text.includes('Nobody answers for it') || text.includes('Niemand steht')).toBe(service === silent);
    }
  });
});

test('the imprint has what the operator stated, and says what was not', async () => {
  const { text } = await open(stated, '/imprint');
  expect(text).toContain(NAME);
  expect(text).toContain('<dd>Germany</dd>');
  expect(text).toContain('The operator has not stated it.');
  expect((await open(stated, '/independence')).text).toContain(OPERATOR.OPERATOR_FUNDING);
  expect((await open(stated, '/corrections')).text).toContain('within 14 days');
});

test('the numbers of disputes are those of the database', async () => {
  const count = async (service: LocalService, matter: string): Promise<number> => {
    const { text } = await open(service, '/corrections');
    return Number(new RegExp(`${matter}</th><td class="number">(\\d+)</td>`).exec(text)?.[1]);
  };
  const matters = [
    ['Reports of reviews', 1],
    ['of them with the review removed', 1],
    ['Appeals against decisions on reviews', 0],
    ['Complaints about brokers that are open', 1],
    ['Complaints that were resolved', 0],
  ] as const;
  for (const [matter, number] of matters) {
    expect([matter, await count(stated, matter)]).toEqual([matter, number]);
    expect([matter, await count(silent, matter)]).toEqual([matter, 0]);
  }
});

test('the sitemap has these pages in each language', async () => {
  const { text } = await send(`${stated.origin}/sitemaps/pages.xml`);
  for (const name of PAGES)
    for (const prefix of ['', '/de']) expect(text).toContain(`<loc>${PUBLIC_URL}${prefix}/${name}</loc>`);
});

test('security.txt names the contact, or is missing with the reason', async () => {
  const { status, text, headers } = await send(`${stated.origin}/.well-known/security.txt`);
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toContain(`Contact: ${OPERATOR.OPERATOR_SECURITY_CONTACT}\n`);
  expect(text).toContain(`Canonical: ${PUBLIC_URL}/.well-known/security.txt\n`);
  const days = (Date.parse(/Expires: (\S+)/.exec(text)?.[1] ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(28);
  expect(days).toBeLessThanOrEqual(30);
  const problem = await send(`${silent.origin}/.well-known/security.txt`);
  expect(expectProblem(problem)).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('not stated a contact'),
  });
});

test('the page of an error names the contact, if there is one', async () => {
  expect((await open(stated, '/no-such-page')).text).toContain('<a href="mailto:desk@ratings.example">');
  expect((await open(silent, '/no-such-page')).text).not.toContain('mailto:');
});

test('a public service without an operator says so at start and in status', async () => {
  const missing = ['OPERATOR_NAME', 'OPERATOR_ADDRESS', 'OPERATOR_COUNTRY', 'OPERATOR_CONTACT', 'OPERATOR_FUNDING'];
  const warnings = ({ output }: LocalService) =>
    output()
      .split('\n')
      .filter((line) => line.includes('nobody answers for this public service'));
  expect(warnings(stated)).toEqual([]);
  expect(warnings(silent).map((line) => JSON.parse(line))).toMatchObject([{ level: 40, missing }]);
  const { stdout } = await silent.cliWith({ PUBLIC_URL }, 'status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    operator: `not stated; the service is public, and ${missing.join(', ')} must be set`,
  });
  expect((await stated.cliWith({ PUBLIC_URL, ...OPERATOR }, 'status')).stdout).toMatch(
    /\noperator +Example Ratings Ltd\n/,
  );
});
