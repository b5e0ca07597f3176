import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOperator } from '../../features/operators/actions.ts';
import { authorise, authoriseSession, requireAnotherPerson } from '../../features/operators/authorise.ts';
import { addOperator, confirmGrant, setSignIn } from '../../features/operators/grants.ts';
import { isAllowed, type Rights, ROLE_NAMES, type Role } from '../../features/operators/policy.rule.ts';
import { newToken } from '../../features/operators/tokens.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { closeDb, connectAsReader, type Db, ensureCollections } from '../../platform/mongo.ts';
import type { CommandPolicy } from '../cli/define-command.ts';
import { createDesk } from './desk.ts';
import { DESK_KINDS } from './kinds.ts';
import { loadDeskPolicy } from './policy.ts';

const clock = (): Date => new Date('2026-11-28T10:00:00Z');
const expiresAt = new Date('2026-11-29T10:00:00Z');

let database: ScratchDatabase;
let db: Db;
let context: Context;
let policy: CommandPolicy;
/** Tokens by role. Operators are called after their roles. */
const tokens = new Map<Role, string>();

beforeAll(async () => {
  policy = await loadDeskPolicy();
  database = await openScratchDatabase();
  db = await connectAsReader(database.url);
  await ensureCollections(db);
  context = { actor: { type: 'operator', name: 'admin' }, clock, db };
  for (const role of ['admin', ...ROLE_NAMES.filter((one) => one !== 'admin')] as const) {
    const { token, hash } = newToken();
    await addOperator(context, role, { role, formerNames: [] }, { expiresAt, hash });
    if (role !== 'outside') await setSignIn(context, role, `subject of ${role}`);
    tokens.set(role, token);
  }
  await addOperator(context, 'second', { role: 'admin', formerNames: [] }, { expiresAt, hash: newToken().hash });
  await setSignIn(context, 'outside', 'subject of outside');
  await confirmGrant({ ...context, actor: { type: 'operator', name: 'second' } }, 'outside');
});
afterAll(async () => {
  if (db) await closeDb(db);
  await database?.remove();
});

const openDesk = (role: Role) => createDesk({ db, clock, operator: { name: role, role, expiresAt } });

/** Returns a command with the rights that it needs. */
const findCommand = (command: string) => ({ command, rights: policy[command] as Rights });

/** Returns whether the policy lets the token of a role run a command. */
const mayCommand = async (role: Role, command: string): Promise<boolean> =>
  authorise(db, clock, { ...findCommand(command), actor: undefined }, tokens.get(role)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof DomainError && error.code === 'invalid_token') return false;
      throw error;
    },
  );

const isRefused = (answer: object | undefined): boolean => answer !== undefined && 'refused' in answer;

const ACTIONS = DESK_KINDS.flatMap(({ kind, forms }) =>
  forms.flatMap(({ actions }) => actions.map(({ action, command }) => ({ kind, action, command }))),
);

test.each(ROLE_NAMES.flatMap((role) => ACTIONS.map((one) => ({ role, ...one }))))(
  '$role may $action a $kind at the desk exactly if they may run "$command"',
  async ({ role, kind, action, command }) => {
    const address = { kind, id: 'none' };
    const answer = await openDesk(role).decide(address, action, {});
    expect(isRefused(answer)).toBe(!(await mayCommand(role, command)));
    const preview = await openDesk(role).preview(address, action, {});
    expect(isRefused(preview)).toBe(preview !== undefined && isRefused(answer));
  },
);

test.each(ROLE_NAMES.flatMap((role) => DESK_KINDS.map((one) => ({ role, ...one }))))(
  '$role may list and read a $kind at the desk exactly if they may run its commands, and take it if they may decide one',
  async ({ role, kind, lists, shows, claims, forms }) => {
    const desk = openDesk(role);
    const inbox = await desk.inbox({});
    const kinds = 'kinds' in inbox ? inbox.kinds.map((one) => one.kind) : [];
    expect(kinds.includes(kind)).toBe(await mayCommand(role, lists));
    expect(isRefused(await desk.open({ kind, id: 'none' }))).toBe(!(await mayCommand(role, shows)));
    const mayDecide = await Promise.all(
      forms.flatMap(({ actions }) => actions.map(({ command }) => mayCommand(role, command))),
    );
    const mayTake = (await mayCommand(role, claims)) && mayDecide.includes(true);
    expect(isRefused(await desk.claim({ kind, id: 'none' }))).toBe(!mayTake);
    expect(isRefused(await desk.release({ kind, id: 'none' }))).toBe(!(await mayCommand(role, claims)));
  },
);

test('whoever may only read disputes takes none, and nobody is kept from deciding by them', async () => {
  expect(isRefused(await openDesk('complaints').claim({ kind: 'dispute', id: 'none' }))).toBe(true);
  expect(isRefused(await openDesk('editor').claim({ kind: 'dispute', id: 'none' }))).toBe(false);
});

test('every command of the desk needs a role: none is open, and none runs without a token', () => {
  const commands = [
    ...ACTIONS.map(({ command }) => command),
    ...DESK_KINDS.flatMap(({ lists, shows, claims }) => [lists, shows, claims]),
  ];
  expect(commands.filter((command) => !policy[command] || policy[command].open)).toEqual([]);
  expect(commands.filter((command) => policy[command]?.unattended)).toEqual([]);
  expect(ROLE_NAMES.every((role) => commands.some((command) => isAllowed(role, policy[command] ?? {})))).toBe(true);
});

test('an admin who alone gave a sign-in is not a second person by it', async () => {
  const actor = await authoriseSession(db, clock, findCommand('appeal decide'), { name: 'moderator', expiresAt });
  const decide = (by: string) =>
    inTransaction({ actor, clock, db }, (c) =>
      requireAnotherPerson(c, [`operator:${by}`], { at: clock(), what: 'it' }),
    );
  await expect(decide('admin')).rejects.toThrow('admin made it, and gave moderator this token or sign-in alone');
  await expect(decide('second')).resolves.toBeUndefined();
  const byTwo = await authoriseSession(db, clock, findCommand('appeal decide'), { name: 'outside', expiresAt });
  await inTransaction({ actor: byTwo, clock, db }, (c) =>
    requireAnotherPerson(c, ['operator:admin'], { at: clock(), what: 'it' }),
  );
});

test('an operator who ended may do nothing at the desk, not even with a session that has begun', async () => {
  await endOperator(context, 'moderator');
  const desk = openDesk('moderator');
  expect(isRefused(await desk.decide({ kind: 'review', id: 'none' }, 'publish', {}))).toBe(true);
  expect(isRefused(await desk.inbox({}))).toBe(true);
});

test('a session that is over may do nothing at the desk', async () => {
  const operator = { name: 'editor', role: 'editor', expiresAt: clock() } as const;
  const desk = createDesk({ db, clock, operator });
  expect(isRefused(await desk.open({ kind: 'warning', id: 'none' }))).toBe(true);
});
