import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow, complaintBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const DAY = 86_400_000;
let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('beta-trade')]);
});
afterAll(() => service?.remove());

const list = async (...args: string[]): Promise<Record<string, string>[]> =>
  JSON.parse(succeeded(await service.cli('token', 'list', '--json', ...args)));
const only = async (subject: string): Promise<Record<string, string>> =>
  (await list('--subject', subject)).at(0) as Record<string, string>;

let complaints = 0;
const fetchStatus = async (token: string): Promise<number> => {
  complaints += 1;
  const body = complaintBody('beta-trade', { title: `Complaint ${complaints}` });
  return (await send(`${service.baseUrl}/complaints`, { token, body })).status;
};

describe('a token that is rotated', () => {
  test('a rotated token passes on its rights, and stays valid for the overlap', async () => {
    const old = await createToken(service, 'alice', { scopes: 'complaints:write' });
    const before = await only('alice');
    const made = JSON.parse(succeeded(await service.cli('token', 'rotate', String(before['id']), '--json')));
    expect([await fetchStatus(old), await fetchStatus(made.token)]).toEqual([201, 201]);
    const [first, second] = await list('--subject', 'alice');
    expect(first).toMatchObject({ id: before['id'], replacedBy: made.id, expiresAt: made.oldEndsAt });
    expect(second).toMatchObject({ id: made.id, accountId: before['accountId'], scopes: ['complaints:write'] });
    expect(Math.round((Date.parse(made.oldEndsAt) - Date.now()) / 3_600_000)).toBe(24);
    expect(Math.round((Date.parse(made.expiresAt) - Date.now()) / DAY)).toBe(90);
    expect((await service.cli('token', 'rotate', String(before['id']))).stderr).toContain(made.id);
  });

  test('a rotated token ends at once without an overlap', async () => {
    const old = await createToken(service, 'bob');
    const { id = '' } = await only('bob');
    const token = succeeded(await service.cli('token', 'rotate', id, '--overlap', '0h', '--quiet')).trim();
    expect([await fetchStatus(old), await fetchStatus(token)]).toEqual([401, 201]);
  });

  test.each([
    [['no-such-id'], 1],
    [['no-such-id', '--overlap', 'soon'], 2],
    [[], 2],
  ])('refuses to rotate a token with %j', async (args, code) => {
    expect((await service.cli('token', 'rotate', ...args)).code).toBe(code);
  });

  test('a revoked token cannot be rotated', async () => {
    await createToken(service, 'carol');
    const { id = '' } = await only('carol');
    succeeded(await service.cli('token', 'revoke', id));
    expect((await service.cli('token', 'rotate', id)).code).toBe(1);
  });
});

test('tokens that nobody has used for a while are listed', async () => {
  for (const subject of ['idle', 'never', 'busy', 'fresh']) await createToken(service, subject);
  const tokens = await Promise.all(['idle', 'never', 'busy', 'fresh'].map(only));
  const [idle, never, busy] = tokens.map((token) => token['id']);
  const long = new Date(Date.now() - 91 * DAY);
  await inDatabase(service, async (db) => {
    const all = db.collection('tokens');
    await all.updateMany({ id: { $in: [idle, never, busy] } }, { $set: { createdAt: long } });
    await all.updateOne({ id: idle }, { $set: { lastUsedAt: long } });
    await all.updateOne({ id: busy }, { $set: { lastUsedAt: new Date() } });
  });
  const unused = (await list('--unused', '90d')).map((token) => token['id']);
  expect(unused.sort()).toEqual([idle, never].sort());
  expect((await service.cli('token', 'list', '--unused', '90d', '--subject', 'idle')).code).toBe(2);
});
