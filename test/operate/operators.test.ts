import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDatabaseUrl } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { fetchCounts, readRefusal, runJson } from '../support/moderation.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

let service: LocalService;
let scratch: Scratch;
let author: string;
/** Files with tokens, by operator. */
const files: Record<string, string> = {};

beforeAll(async () => {
  scratch = await createScratch();
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('alpha'), brokerRow('beta'), brokerRow('gamma'), brokerRow('delta')]);
  author = await createToken(service, 'author', { scopes: 'reviews:write,account:write' });
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const cli = (...args: string[]) => service.cli(...args);
const as = (name: string, ...args: string[]) => cli(...args, '--token-file', String(files[name]));
const done = async (name: string, ...args: string[]): Promise<string> => succeeded(await as(name, ...args)).trim();
const keep = async (name: string, token: string): Promise<void> => {
  files[name] = await scratch.write(`${name}.token`, `${token}\n`);
};
const add = async (by: string, name: string, role: string): Promise<void> =>
  keep(name, await done(by, 'operator', 'add', name, '--role', role, '--quiet'));

const submit = async (broker: string, title: string): Promise<string> => {
  const answer = await send(`${service.origin}/api/v1/reviews`, { token: author, body: reviewBody(broker, { title }) });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ id: string }>().id;
};
const appeal = async (review: string): Promise<string> => {
  const path = `${service.origin}/account/v1/reviews/${review}/appeal`;
  const answer = await send(path, { token: author, body: { text: 'It is about this broker, and true.' } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ id: string }>().id;
};

interface ListedOperator {
  readonly name: string;
  readonly tokens: readonly { readonly id: string; readonly lastUsedAt?: string }[];
}
interface AuditEntry {
  readonly actor: { readonly type: string; readonly name: string; readonly token?: string };
  readonly action: string;
  readonly subject: { readonly id: string };
  readonly after: Record<string, unknown> | null;
  readonly reason: string;
}
const entries = async (action: string): Promise<AuditEntry[]> =>
  JSON.parse(await done('ada', 'audit', 'list', '--action', action, '--json', '--limit', '100'));
const decide = (name: string, id: string) => as(name, 'appeal', 'decide', id, 'confirm', '--note', 'Read again.');

/** The decision of `review` that was made before operators had tokens. */
let early: string;

test('everybody gives any name while there are no operators, and the list says so', async () => {
  expect(succeeded(await cli('operator', 'list'))).toMatch(/^There are no operators: .*any name by --actor/);
  early = await submit('beta', 'Before');
  succeeded(await cli('review', 'reject', early, '--reason', 'insult', '--actor', 'Cleo'));
  const token = JSON.parse(succeeded(await cli('admin', 'operator', 'new-token', '--json')));
  await keep('nobody', token.token);
  expect(readRefusal(await as('nobody', 'review', 'list'))).toContain('There are no operators here');
  expect(readRefusal(await cli('operator', 'add', 'ben', '--role', 'moderator'))).toContain('has to be an admin');
});

test('a command that writes needs a token once there is an admin, and the token says who acts', async () => {
  await keep('ada', succeeded(await cli('operator', 'add', 'ada', '--role', 'admin', '--quiet')).trim());
  const review = await submit('alpha', 'First');
  const publish = ['review', 'publish', review];
  expect(readRefusal(await cli(...publish, '--actor', 'ada'))).toContain('"review publish" needs your token');
  expect(readRefusal(await cli('complaint', 'list'))).toContain('needs your token');
  expect(readRefusal(await as('nobody', ...publish))).toBe('This is no token of an operator.');
  await add('ada', 'ben', 'moderator');
  expect(readRefusal(await as('ben', ...publish, '--actor', 'ada'))).toContain('The token is that of ben');
  expect(readRefusal(await as('ben', 'broker', 'rename', 'alpha', 'omega'))).toContain('has the role moderator');
  expect(readRefusal(await as('ben', 'operator', 'add', 'eve', '--role', 'admin'))).toContain('has the role moderator');
  expect(JSON.parse(await done('ben', 'review', 'next', '--json'))).toMatchObject({ id: review, claim: { by: 'ben' } });
  await done('ben', ...publish);
  const [entry] = await entries('review.published');
  expect(entry).toMatchObject({
    actor: { type: 'operator', name: 'ben', token: expect.stringMatching(/^[0-9a-f]{12}$/) },
  });
});

test('commands of timers go on without a token, and what is public stays readable', async () => {
  succeeded(await cli('admin', 'job', 'run', 'license-expiry'));
  expect(readRefusal(await cli('admin', 'job', 'run', 'license-expiry', '--actor', 'ada'))).toContain(
    'needs the token of ada',
  );
  expect(await runJson(service, 'admin', 'job', 'list')).not.toEqual([]);
  succeeded(await cli('operator', 'list'));
});

test('two people decide: an earlier name counts as its claimant, and a token that was seen proves nobody', async () => {
  const own = await submit('gamma', 'Second');
  await done('ada', 'review', 'reject', own, '--reason', 'insult');
  const id = await appeal(own);
  expect(readRefusal(await decide('ada', id))).toContain('ada made the decision to reject that is appealed');
  expect(readRefusal(await decide('ben', id))).toContain('gave ben this token or sign-in alone: run operator renew');
  expect(await done('ben', 'operator', 'renew')).toMatch(/^ben has the token [0-9a-f]{12} until/); // in the same file
  await done('ben', 'appeal', 'decide', id, 'confirm', '--note', 'Read again.');

  const before = await appeal(early);
  expect(readRefusal(await decide('ben', before))).toContain('called themselves "cleo"');
  await done('ada', 'admin', 'operator', 'claim', 'ben', 'Cleo');
  expect(readRefusal(await decide('ben', before))).toContain('ben made the decision');
  expect(readRefusal(await as('ada', 'operator', 'add', 'owen', '--role', 'outside'))).toContain(
    'admin operator new-token',
  );
  const made = JSON.parse(succeeded(await cli('admin', 'operator', 'new-token', '--json')));
  await keep('owen', made.token);
  await done('ada', 'operator', 'add', 'owen', '--role', 'outside', '--hash', made.hash);
  expect(readRefusal(await decide('owen', id))).toContain('is decided');
  expect(readRefusal(await as('owen', 'review', 'list'))).toContain('has the role outside');
  await done('owen', 'appeal', 'decide', before, 'confirm', '--note', 'Read by another house.');
});

test('nobody decides an appeal against a decision of before they were an operator', async () => {
  const review = await submit('delta', 'Third');
  await done('ada', 'review', 'reject', review, '--reason', 'insult');
  const id = await appeal(review);
  const { token, hash } = JSON.parse(succeeded(await cli('admin', 'operator', 'new-token', '--json')));
  await keep('rita', token);
  await done('ada', 'operator', 'add', 'rita', '--role', 'outside', '--hash', hash);
  expect(readRefusal(await decide('rita', id))).toContain('rita became an operator after the decision to reject');
  await done('owen', 'appeal', 'decide', id, 'reverse', '--note', 'It tells of a service.');
});

const list = async (): Promise<string> => succeeded(await cli('operator', 'list'));
const figures = async () => (await fetchCounts(service, 'alpha')).operators;

test('no admin gives access alone once there are two, and the public figures count access given that way', async () => {
  await add('ada', 'olga', 'admin');
  await done('olga', 'operator', 'renew');
  await service.settle();
  expect(await figures()).toEqual({ added: 5, alone: 5 });

  expect(await done('ada', 'operator', 'add', 'carl', '--role', 'moderator')).toContain('operator confirm carl');
  expect(await list()).toContain('carl is added with the role moderator. Another admin has to agree');
  expect(readRefusal(await as('ada', 'operator', 'add', 'carl', '--role', 'editor'))).toContain('waits already');
  expect(readRefusal(await as('ada', 'operator', 'confirm', 'carl'))).toContain('ada made the request for carl');
  expect(readRefusal(await as('ben', 'operator', 'confirm', 'carl'))).toContain('has the role moderator');
  await done('ada', 'operator', 'decline', 'carl');
  expect(readRefusal(await as('olga', 'operator', 'confirm', 'carl'))).toContain('No request for "carl" waits');

  await add('ada', 'carl', 'moderator');
  expect(readRefusal(await as('carl', 'review', 'list'))).toContain('no token of an operator');
  await done('olga', 'operator', 'confirm', 'carl');
  await done('carl', 'review', 'list');

  const asAdmin = ['operator', 'set-role', 'carl', '--role', 'admin'];
  expect(await done('olga', ...asAdmin)).toBe('Another admin has to agree: operator confirm carl');
  await done('olga', 'operator', 'decline', 'carl');
  await keep('carl', await done('olga', 'operator', 'issue-token', 'carl', '--quiet'));
  expect(readRefusal(await as('carl', 'review', 'list'))).toContain('no token of an operator');
  await done('ada', 'operator', 'confirm', 'carl');
  await done('carl', 'review', 'list');
  expect(await figures()).toEqual({ added: 6, alone: 5 });

  await done('ada', 'operator', 'end', 'olga');
  await done('ada', ...asAdmin);
  await service.settle();
  expect(await figures()).toEqual({ added: 6, alone: 6 });
  await done('ada', 'operator', 'end', 'carl');
});

test('a token ends by itself, by a revocation, or with its operator', async () => {
  const later = ['review', 'list', '--token-file', String(files['ben'])];
  expect(readRefusal(await service.cliWith({ CLOCK: '+91d' }, ...later))).toContain('expired');
  const [ada, ben] = await runJson<ListedOperator>(service, 'operator', 'list');
  expect([ada?.name, ben?.name, ben?.tokens.length]).toEqual(['ada', 'ben', 1]);
  expect(ben?.tokens[0]?.lastUsedAt).toBeDefined();
  await done('ada', 'operator', 'revoke', String(ben?.tokens[0]?.id));
  expect(readRefusal(await as('ben', 'review', 'list'))).toContain('was revoked');
  await keep('ben', await done('ada', 'operator', 'issue-token', 'ben', '--quiet'));
  await done('ada', 'operator', 'set-role', 'ben', '--role', 'editor');
  expect(readRefusal(await as('ben', 'review', 'list'))).toContain('has the role editor');
  await done('ada', 'operator', 'end', 'ben');
  expect(readRefusal(await as('ben', 'review', 'list'))).toContain('ben is no longer an operator');
  expect(readRefusal(await as('ada', 'operator', 'add', 'ben', '--role', 'editor'))).toContain('never given twice');
});

test('the last admin stays, and is recovered by whoever holds the database', async () => {
  expect(readRefusal(await as('ada', 'operator', 'end', 'ada'))).toContain('the only admin');
  expect(readRefusal(await as('ada', 'operator', 'set-role', 'ada', '--role', 'editor'))).toContain('the only admin');
  const wrong = await scratch.write('wrong.txt', 'mongodb://elsewhere');
  const recover = ['admin', 'operator', 'recover', 'ada', '--quiet', '--database-url'];
  expect(readRefusal(await cli(...recover, wrong))).toContain('does not have the address');
  const url = await scratch.write('url.txt', await findDatabaseUrl(service));
  const dry = await cli(...recover.filter((word) => word !== '--quiet'), url, '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('operator.recovered') });
  await done('ada', 'audit', 'list'); // her tokens still work
  const token = await done('nobody', ...recover, url); // the lost token is still at hand
  expect(readRefusal(await as('ada', 'audit', 'list'))).toContain('was revoked');
  await keep('ada', token);
});

test('every refusal and every use is in the audit trail', async () => {
  const refusals = await entries('operator.refused');
  const codes = new Set(refusals.map(({ reason }) => reason));
  expect([...codes].sort()).toEqual([
    'added_later',
    'operator_ended',
    'other_actor',
    'role_not_allowed',
    'same_person',
    'token_expired',
    'token_missing',
    'token_revoked',
    'token_unknown',
  ]);
  const same = refusals.filter(({ reason }) => reason === 'same_person');
  expect(new Set(same.map(({ after }) => after?.['command']))).toEqual(new Set(['appeal decide', 'operator confirm']));
  for (const { actor, after } of same)
    expect({ actor, token: after?.['token'] }).toMatchObject({
      actor: { type: 'system', name: 'operators' },
      token: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  const uses = await entries('operator.acted');
  expect(uses.find(({ after }) => after?.['command'] === 'appeal decide')).toBeDefined();
  expect(uses.filter(({ subject }) => subject.id === 'rita').map(({ after }) => after?.['command'])).toEqual([
    'appeal decide',
  ]);
});
