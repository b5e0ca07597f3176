import { ENTERPRISE_BASE_PATH, PLAN_NAMES } from '@broker-transparency/contract/enterprise';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { type FilledService, startFilledService, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { buildReview } from '../support/submissions.ts';

const BROKERS = ['alpha-markets', 'beta-trade', 'gamma-fx'];

/** A customer, and what it does with its agreement. */
const Customer = fc.record({
  plan: fc.constantFrom(...PLAN_NAMES),
  broker: fc.option(fc.constantFrom(...BROKERS)),
  isPerson: fc.boolean(),
  keys: fc.integer({ min: 0, max: 2 }),
  isUsed: fc.boolean(),
  hasEnded: fc.boolean(),
});
type Customer = typeof Customer extends fc.Arbitrary<infer T> ? T : never;

let service: FilledService;
beforeAll(async () => {
  service = await startFilledService({ LOG_LEVEL: 'error', PREPARED_MB: '0' }); // each answer is made anew
  await service.client(service.verified).reviews.create(buildReview('beta-trade')); // waits for a decision
});
afterAll(() => service?.remove());

/** The addresses at which scores, orders, matches, decisions and texts are public. */
const ADDRESSES = [
  '/api/v1/brokers?limit=50',
  ...BROKERS.map((slug) => `/api/v1/brokers/${slug}`),
  ...BROKERS.map((slug) => `/api/v1/reviews?broker=${slug}`),
  ...BROKERS.map((slug) => `/transparency/v1/moderation/${slug}`),
  ...BROKERS.map((slug) => `/transparency/v1/brokers/${slug}/history`),
  '/api/v1/search?q=alpha',
  '/api/v1/search?q=trade',
  '/api/v1/regulators',
  '/api/v1/news',
  '/',
  '/brokers',
  '/de/brokers',
  ...BROKERS.map((slug) => `/brokers/${slug}`),
  ...BROKERS.map((slug) => `/embed/brokers/${slug}`),
  ...BROKERS.map((slug) => `/badges/${slug}.svg`),
  '/compare?a=alpha-markets&b=beta-trade',
  '/search?q=gamma',
  '/news',
  '/methodology',
  '/corrections',
];

/** Removes the minute in which a page was made, which stands beside its charts and in its footer. */
const withoutMinute = (text: string): string => text.replaceAll(/[0-9A-Za-z. ]{4,14}\d{4}, \d\d:\d\d UTC/g, '');

/** Reads every public answer. */
const readAll = async (): Promise<Record<string, string>> => {
  const answers: Record<string, string> = {};
  for (const address of ADDRESSES) {
    const { status, text } = await send(`${service.origin}${address}`);
    answers[address] = `${status} ${withoutMinute(text)}`;
  }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const name of ['a1pha-markets.example', 'beta trade', 'REF-fca']) {
    const body = new URLSearchParams({ text: name }).toString();
    const { status, text } = await send(`${service.origin}/check`, { method: 'POST', headers: form, body });
    answers[`match of ${name}`] = `${status} ${withoutMinute(text)}`;
  }
  return answers;
};

let customers = 0;

/** Makes an agreement, issues keys, uses them, and ends the agreement. */
const act = async ({ plan, broker, isPerson, keys, isUsed, hasEnded }: Customer): Promise<void> => {
  customers += 1;
  const id = `customer-${customers}`;
  const interest = broker === null ? [] : ['--broker', broker, ...(isPerson ? ['--person'] : [])];
  const terms = ['--name', `Customer ${customers}`, '--plan', plan, '--accepted-by', 'a test', ...interest];
  succeeded(await service.cli('enterprise', 'grant', id, ...terms));
  for (let issued = 0; issued < keys; issued++) {
    const token = succeeded(await service.cli('enterprise', 'issue-key', id, '--quiet')).trim();
    if (isUsed) {
      const { status, text } = await send(`${service.origin}${ENTERPRISE_BASE_PATH}/account`, { token });
      expect(status, text).toBe(200);
    }
  }
  if (hasEnded) succeeded(await service.cli('enterprise', 'end', id));
};

test('no plan, key or agreement changes a score, an order, a match, a decision or a text', async () => {
  const before = await readAll();
  for (const [address, text] of Object.entries(before)) expect([address, text.slice(0, 3)]).toEqual([address, '200']);
  await fc.assert(
    fc.asyncProperty(fc.array(Customer, { minLength: 1, maxLength: 3 }), async (made) => {
      for (const customer of made) await act(customer);
      succeeded(await service.cli('admin', 'rebuild')); // computes everything again, now that there are customers
      await service.settle();
      expect(await readAll()).toEqual(before);
    }),
    { numRuns: 8, seed: 20_261_128, endOnFailure: true },
  );
});

test('customers that are brokers are on the page about independence, and natural persons have no name there', async () => {
  const grant = (id: string, name: string, ...more: string[]) =>
    service.cli('enterprise', 'grant', id, '--name', name, '--plan', 'media', '--accepted-by', 'a test', ...more);
  succeeded(await grant('alpha-group', 'Alpha Group', '--broker', 'alpha-markets'));
  succeeded(await grant('somebody', 'A Private Name', '--broker', 'beta-trade', '--person'));
  succeeded(await grant('gazette', 'The Gazette'));
  const { text } = await send(`${service.origin}/independence`);
  expect(text).toContain('<bdi>Alpha Group</bdi>');
  expect(text).toContain('href="/brokers/beta-trade"');
  expect(text).toContain('A natural person');
  expect(text).not.toContain('A Private Name');
  expect(text).not.toContain('The Gazette');
});

/** The values of the record's entries about a customer, the oldest first. */
const readEntries = async (asCustomer: AsCustomer, reference: string): Promise<unknown[]> => {
  const { status, text, json } = await asCustomer('/changes?kind=customer&limit=1000');
  expect(status, text).toBe(200);
  const { entries } = json<{ entries: { key: string; value: unknown }[] }>();
  return entries.filter(({ key }) => key === `customer/${reference}`).map(({ value }) => value);
};

test('the record says which broker a customer belongs to, until when, and that it belongs to none any more', async () => {
  const asCustomer = await grantCustomer(service, 'reader', 'media');
  const grant = (...more: string[]) =>
    service.cli(
      'enterprise',
      'grant',
      'beta-desk',
      '--name',
      'Beta Desk',
      '--plan',
      'media',
      '--accepted-by',
      'a test',
      ...more,
    );
  const show = async () =>
    JSON.parse(succeeded(await service.cli('enterprise', 'show', 'beta-desk', '--json'))) as {
      interest?: { reference: string; broker: string; isPerson: boolean };
    };
  succeeded(await grant('--broker', 'beta-trade'));
  const { interest } = await show();
  expect(interest).toEqual({
    reference: expect.stringMatching(/^[0-9a-f]{12}$/),
    broker: 'beta-trade',
    isPerson: false,
  });
  const reference = String(interest?.reference);
  succeeded(await grant('--broker', 'beta-trade', '--person')); // an error in what was stated
  succeeded(await grant()); // keeps it
  expect((await show()).interest).toMatchObject({ reference, isPerson: true });
  succeeded(await service.cli('enterprise', 'end', 'beta-desk'));
  succeeded(await grant('--independent'));
  expect((await show()).interest).toBeUndefined();
  await service.settle();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const entries = await readEntries(asCustomer, reference);
  expect(entries[0]).toEqual({ name: 'Beta Desk', broker: 'beta-trade', since: time, until: null });
  expect(entries[1]).toEqual({ name: null, broker: 'beta-trade', since: time, until: null });
  expect(entries.at(-2)).toEqual({ name: null, broker: 'beta-trade', since: time, until: time });
  expect(entries.at(-1)).toBeNull();
});

test('an agreement with a broker that is not known, or a person without a broker, is refused with the cure', async () => {
  const terms = ['--name', 'Acme', '--plan', 'media', '--accepted-by', 'a test'];
  const unknown = await service.cli('enterprise', 'grant', 'acme', ...terms, '--broker', 'nobody');
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('No broker has the slug "nobody"')]);
  const person = await service.cli('enterprise', 'grant', 'acme', ...terms, '--person');
  expect([person.code, person.stderr]).toEqual([2, expect.stringContaining('--person needs --broker')]);
});
