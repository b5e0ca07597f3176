import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalService, startService } from '../support/service.ts';
import { openBrowser, signIn } from '../support/sign-in.ts';

let service: LocalService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.remove());

test('a service without an identity provider and without mail says that nobody can sign in', async () => {
  const browser = openBrowser(service);
  const page = await browser.get('/sign-in');
  expect(page.status).toBe(200);
  expect(page.html).toContain('Nobody can sign in here');
  expect(page.headers.get('Cache-Control')).toBe('no-store');
  expect([...page.headers.keys()].filter((h) => h.startsWith('access'))).toEqual([]);
  expect((await browser.get('/de/sign-in')).html).toContain('Anmelden');
  const { code } = await service.cli('token', 'create', '--subject', 'alice', '--scope', 'reviews:write');
  expect(code).toBe(0);
  const alice = await signIn(service, 'alice');
  const shown = await alice.get('/sign-in');
  expect(shown.html).toContain('<bdi>alice</bdi>');
  const foreign = await alice.post('/sign-out', {});
  expect(foreign.status).toBe(403);
  const out = await alice.send('/sign-in', {}, '/sign-out');
  expect(out).toMatchObject({ status: 303, location: '/sign-in' });
  expect(alice.cookies.size).toBe(0);
});
