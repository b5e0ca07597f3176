import { Watchlist, WatchlistList } from '@broker-transparency/contract/enterprise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { type AsCustomer, grantCustomer } from '../support/enterprise.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import type { HttpResponse } from '../support/http.ts';
import { steadyHeaders } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

let service: LocalService;
let acme: AsCustomer;
let other: AsCustomer;
beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    ['alpha', 'beta', 'gamma'].map((slug) => brokerRow(slug)),
  );
  acme = await grantCustomer(service, 'acme', 'media');
  other = await grantCustomer(service, 'other', 'media');
});
afterAll(() => service?.remove());

const put = (name: string, brokers: readonly string[], as = acme): Promise<HttpResponse> =>
  as(`/watchlists/${name}`, { method: 'PUT', body: { brokers } });

const good = (answer: HttpResponse): Watchlist => {
  expect(answer.status, answer.text).toBe(200);
  return Watchlist.strict().parse(answer.json());
};

/** Returns the part of an answer that does not name the request, for comparison. */
const shape = (answer: HttpResponse) => {
  const { requestId, ...problem } = answer.json();
  return { status: answer.status, headers: steadyHeaders(answer), problem };
};

test('a watchlist is written, read, replaced, listed and removed', async () => {
  expect(good(await put('mine', ['beta', 'alpha', 'beta']))).toMatchObject({
    name: 'mine',
    brokers: ['alpha', 'beta'],
  });
  expect(good(await acme('/watchlists/mine')).brokers).toEqual(['alpha', 'beta']);
  expect(good(await put('mine', ['gamma'])).brokers).toEqual(['gamma']);
  const list = WatchlistList.parse((await acme('/watchlists')).json());
  expect(list.data).toMatchObject([{ name: 'mine', brokers: 1 }]);
  expect(good(await acme('/watchlists/mine', { method: 'DELETE' })).brokers).toEqual(['gamma']);
  expect(expectProblem(await acme('/watchlists/mine', { method: 'DELETE' })).code).toBe('not_found');
  expect((await acme('/watchlists')).json()).toEqual({ data: [] });
});

test('a watchlist of another organisation is answered like one that does not exist', async () => {
  good(await put('secret', ['alpha']));
  for (const method of ['GET', 'DELETE']) {
    const theirs = await other('/watchlists/secret', { method });
    await put('secret', []); // it is still there
    const nobodys = await other('/watchlists/secrey', { method });
    expect(shape(theirs)).toEqual(JSON.parse(JSON.stringify(shape(nobodys)).replaceAll('secrey', 'secret')));
    expect(theirs.status).toBe(404);
  }
  expect((await other('/watchlists')).json()).toEqual({ data: [] });
  good(await put('secret', ['beta'], other));
  expect(good(await acme('/watchlists/secret')).brokers).toEqual([]);
  await acme('/watchlists/secret', { method: 'DELETE' });
});

test('a slug that no broker has is refused, and nothing changes', async () => {
  good(await put('kept', ['alpha']));
  expect(expectProblem(await put('kept', ['alpha', 'nobody']))).toMatchObject({
    code: 'broker_not_found',
    detail: 'No broker has the slug "nobody".',
  });
  expect(expectProblem(await put('Not-A-Name', [])).code).toBe('invalid_request');
  expect(good(await acme('/watchlists/kept')).brokers).toEqual(['alpha']);
});

test('follows its brokers through renaming, merger and split', async () => {
  good(await put('followed', ['beta', 'gamma']));
  succeeded(await service.cli('broker', 'rename', 'beta', 'beta-two', '--actor', 'ed'));
  expect(good(await acme('/watchlists/followed')).brokers).toEqual(['beta-two', 'gamma']);
  succeeded(await service.cli('broker', 'merge', 'gamma', '--into', 'alpha', '--actor', 'ed'));
  expect(good(await acme('/watchlists/followed')).brokers).toEqual(['alpha', 'beta-two']);
  succeeded(await service.cli('broker', 'split', 'gamma', '--actor', 'ed'));
  expect(good(await acme('/watchlists/followed')).brokers).toEqual(['beta-two', 'gamma']);
  expect(good(await put('former', ['beta'])).brokers).toEqual(['beta-two']);
  const [stored] = await inDatabase(service, (db) =>
    db.collection('enterpriseWatchlists').find({ name: 'followed' }).toArray(),
  );
  expect(stored?.['brokers']).toEqual(['beta', 'gamma']);
});

test('an organisation has as many as its plan allows, also if they come at once', async () => {
  const full = await grantCustomer(service, 'full', 'media');
  const answers = await Promise.all(Array.from({ length: 25 }, (_, at) => put(`list-${at}`, [], full)));
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) expect(expectProblem(answer).code).toBe('state_conflict');
  const { data } = (await full('/watchlists')).json<WatchlistList>();
  expect([refused.length, data.length]).toEqual([5, 20]);
  good(await put(data[0]?.name ?? '', ['alpha'], full));
  expect(expectProblem(await put('one-more', [], full)).detail).toContain('20 watchlists');
});
