import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch } from '../support/files.ts';
import { createToken, importRows, submit, succeeded } from '../support/filled-service.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, listForms, signIn } from '../support/sign-in.ts';
import { buildComplaint } from '../support/submissions.ts';
import { brokerRows, FIRMS } from '../warnings/lists.ts';

/** Operators with a role each, who decide at the desk. Another one makes the cases by commands. */
const OPERATORS = { admin: 'ada', moderator: 'mo', editor: 'eddie', complaints: 'cy', outside: 'ox' } as const;
type Role = keyof typeof OPERATORS;
const ROLES = Object.keys(OPERATORS) as Role[];

/** Firms that one case each is about, so that no decision leads to another case. */
const firms = Array.from({ length: 80 }, (_, at) => `firm-${at}`);
const unusedFirms = firms.values();
const takeFirm = (): string => {
  const { value, done } = unusedFirms.next();
  if (done) throw new Error('there are more cases than firms');
  return value;
};

/** Time in milliseconds for everything that a case takes, on a machine that does much else. */
const PATIENCE_MS = 180_000;

/** The service, whose commands are those of the person who makes cases, once there are operators. */
let service: LocalService;
const browsers = {} as Record<Role, Browser>;
const formTokens = {} as Record<Role, string>;
const commandsByRole = new Map<Role, readonly string[]>();
/** Answers for every firm that disputes or replies. */
let contact: Browser;
let contactId: string;
/** The token of an admin who makes cases, and does not decide them at the desk. */
let maker: string;
/** The first admin's, whose decisions are appealed. */
let admin: string;

const run = async (token: string, ...args: string[]): Promise<string> =>
  succeeded(await service.cliWith({ BROKER_RATING_TOKEN: token }, ...args)).trim();
const make = (...args: string[]): Promise<string> => run(maker, ...args);
const makeJson = async (...args: string[]) => JSON.parse(await make(...args, '--json'));

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [...brokerRows(), ...firms.map((slug) => brokerRow(slug))]);
  contact = await signIn(service, await addPerson());
  contactId = await inDatabase(service, async (db) =>
    String((await db.collection('accounts').findOne({ subject: 'person-1' }))?._id),
  );
  for (const role of ROLES) await createToken(service, `subject-${role}`);
  admin = succeeded(await service.cli('operator', 'add', 'ada', '--role', 'admin', '--quiet')).trim();
  for (const role of ROLES) {
    const { hash } = JSON.parse(await run(admin, 'admin', 'operator', 'new-token', '--json'));
    const name = OPERATORS[role];
    if (role !== 'admin') await run(admin, 'operator', 'add', name, '--role', role, '--hash', hash);
    if (role !== 'outside') await run(admin, 'operator', 'sign-in', name, `subject-${role}`);
  }
  const own = JSON.parse(await run(admin, 'admin', 'operator', 'new-token', '--json'));
  await run(admin, 'operator', 'add', 'zed', '--role', 'admin', '--hash', own.hash);
  maker = own.token;
  const { cliWith } = service;
  service = { ...service, cli: (...args) => cliWith({ BROKER_RATING_TOKEN: maker }, ...args) };
  await run(admin, 'operator', 'sign-in', 'ox', 'subject-outside');
  await make('operator', 'confirm', 'ox');
  const rows: { role: Role; commands: string[] }[] = await makeJson('operator', 'roles');
  for (const { role, commands } of rows) commandsByRole.set(role, commands);
  for (const role of ROLES) {
    browsers[role] = await signIn(service, `subject-${role}`);
    formTokens[role] = listForms((await browsers[role].get('/desk')).html)[0]?.hidden['form-token'] ?? '';
  }
}, PATIENCE_MS);
afterAll(() => service?.remove());

let people = 0;
const addPerson = async (): Promise<string> => {
  const subject = `person-${++people}`;
  await createToken(service, subject);
  return subject;
};

/** A case that is there, with the fields that its action needs. */
interface PreparedCase {
  readonly broker: string;
  readonly id: string;
  readonly fields?: Readonly<Record<string, string>>;
}
/** Makes a case to which an action applies. */
type Maker = () => Promise<PreparedCase>;

const write = async (broker: string): Promise<string> => {
  const answer = await submit(service, '/reviews', await createToken(service, await addPerson()), reviewBody(broker));
  return ((await answer.json()) as { id: string }).id;
};

const DECIDED = ['--reason', 'insult', '--note', 'It insults.'] as const;
const REASON = { reason: 'insult', note: 'It insults.' } as const;

/** A review on which commands have acted. */
const review =
  (
    fields: Readonly<Record<string, string>>,
    ...commands: (readonly [command: string, ...options: string[]])[]
  ): Maker =>
  async () => {
    const broker = takeFirm();
    const id = await write(broker);
    for (const [command, ...options] of commands) await make('review', command, id, ...options);
    return { broker, id, fields };
  };

const report =
  (fields: Readonly<Record<string, string>>, ...decision: string[]): Maker =>
  async () => {
    const { broker, id: about } = await review({}, ['publish'])();
    const text = ['--reason', 'insult', '--text', 'It calls me a thief.', '--contact', 'reporter@mail.example'];
    const id = (await make('report', 'add', about, ...text)).split(' ')[1] ?? '';
    if (decision.length > 0) await make('report', 'decide', id, ...decision);
    return { broker, id, fields };
  };

const appeal =
  (fields: Readonly<Record<string, string>>): Maker =>
  async () => {
    const { broker, id: about } = await review({}, ['reject', ...DECIDED])();
    const id = (await make('appeal', 'add', '--review', about, '--text', 'It insults nobody.')).split(' ')[1] ?? '';
    return { broker, id, fields };
  };

const complaint =
  (
    fields: Readonly<Record<string, string>>,
    ...commands: (readonly [command: string, ...options: string[]])[]
  ): Maker =>
  async () => {
    const broker = takeFirm();
    const client = service.client(await createToken(service, await addPerson()));
    const { reference: id } = await client.complaints.create(buildComplaint(broker));
    for (const [command, ...options] of commands) await make('complaint', command, id, ...options);
    return { broker, id, fields };
  };
const FORWARDED = [['screen'], ['forward']] as const;
const ANSWERED = [...FORWARDED, ['answer']] as const;

const warnedFirms = FIRMS.values();
const warning =
  (...commands: string[]): Maker =>
  async () => {
    const { slug: broker = '', name, authority = '' } = warnedFirms.next().value ?? {};
    const scratch = await createScratch();
    try {
      const file = await scratch.ndjson('list.ndjson', [{ id: broker, names: [name] }]);
      const list = ['--authority', authority, '--list-url', `https://warnings.example/${broker}`];
      await make('warning', 'import', file, '--source', `list-${broker}`, ...list, '--as-of', '2026-11-02');
    } finally {
      await scratch.remove();
    }
    const id = await inDatabase(service, async (db) =>
      String((await db.collection('warningMatches').findOne({ broker, warning: { $regex: `^list-${broker}-` } }))?._id),
    );
    for (const command of commands) await make('warning', command, id.split('~')[0] ?? '', broker, '--about', 'firm');
    return { broker, id };
  };

/** Lets the contact answer for a new firm. */
const addOwnFirm = async (): Promise<string> => {
  const broker = takeFirm();
  const now = new Date();
  const named = { register: 'fca', place: '1', requestedBy: 'operator:ada', requestedAt: now };
  await inDatabase(service, (db) =>
    db.collection<{ _id: string }>('representatives').insertOne({
      _id: `rp_${broker}`,
      broker,
      status: 'active',
      accountId: contactId,
      claimedAt: now,
      ...named,
    } as {
      _id: string;
    }),
  );
  return broker;
};

const dispute =
  (fields: Readonly<Record<string, string>>, change?: (broker: string) => Promise<Record<string, string>>): Maker =>
  async () => {
    const broker = await addOwnFirm();
    await contact.send(`/brokers/${broker}/dispute`, { field: 'licenses', text: 'Our licence is not this one.' });
    const [{ reference: id }] = await makeJson('dispute', 'list', '--broker', broker);
    return { broker, id, fields: { ...fields, ...(await change?.(broker)) } };
  };

/** Changes the disputed fact, and names the statement that did. */
const takeLicences = async (slug: string): Promise<Record<string, string>> => {
  await importRows(service, 'brokers', [{ slug, licenses: [] }]);
  const rows: { version: number }[] = await makeJson('fact', 'history', 'broker', slug);
  return { statement: String(Math.max(...rows.map(({ version }) => version))) };
};

const reply =
  (fields: Readonly<Record<string, string>>): Maker =>
  async () => {
    const broker = await addOwnFirm();
    const about = await write(broker);
    await make('review', 'publish', about);
    await contact.send(`/answer/${broker}/reviews/${about}`, { reply: 'Thank you for these words.' });
    const replies: { id: string; broker: string }[] = await makeJson('reply', 'list', '--limit', '500');
    return { broker, id: replies.find((one) => one.broker === broker)?.id ?? '', fields };
  };

/** A reply to a review that has another one meanwhile. */
const answered: Maker = async () => {
  const made = await reply({})();
  const [review] = await inDatabase(service, (db) =>
    db.collection('reviewReplies').find({ broker: made.broker }).toArray(),
  );
  await make('review', 'reply', String(review?.['reviewId']), '--content', 'We have paid.');
  return made;
};

/** A complaint that was sent to the broker eleven days ago, so that a reminder is due. */
const unanswered: Maker = async () => {
  const made = await complaint({}, ...FORWARDED)();
  const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);
  await inDatabase(service, (db) =>
    db
      .collection<{ _id: string }>('complaints')
      .updateOne({ _id: made.id }, { $set: { createdAt: days(12), screenedAt: days(12), forwardedAt: days(11) } }),
  );
  await make('admin', 'complaint', 'clocks');
  return made;
};

/** The case that each action of the desk needs, and what its page says afterwards. 404: it waits no more. */
const CASES: Readonly<Record<string, readonly [maker: Maker, after: string | 404]>> = {
  'review publish': [review({}), 'decided and not written yet'],
  'review reject': [review(REASON), 'decided and not written yet'],
  'review remove': [review(REASON, ['publish']), 'State: <strong>removed'],
  'review withhold': [review({ ...REASON, days: '14' }, ['publish']), 'State: <strong>withheld'],
  'review dismiss': [review({}, ['publish'], ['withhold', '--days', '14', ...DECIDED]), 'State: <strong>published'],
  'review restore': [review({}, ['reject', ...DECIDED]), 'State: <strong>published'],
  'review withdraw': [review({ withdrawal: 'author_request' }), 'State: <strong>withdrawn'],
  'review flag': [review({ reason: 'insult', remark: 'Read the last line.' }), ': insult, Read the last line.'],
  'review unflag': [review({}, ['flag', '--reason', 'insult']), 'State: <strong>pending'],
  'review reply': [review({ reply: 'We have paid since.' }, ['publish']), 'We have paid since.'],
  'review unreply': [review({}, ['publish'], ['reply', '--content', 'We have paid.']), 'State: <strong>published'],
  'review appeal': [review({ appeal: 'It insults nobody.' }, ['reject', ...DECIDED]), 'Appeal of the author (open)'],
  'report keep': [report({}), 'State: <strong>decided'],
  'report remove': [report(REASON), 'State: <strong>decided'],
  'report appeal': [report({ appeal: 'It does call me a thief.' }, 'keep'), 'Appeal of the reporter (open)'],
  'appeal confirm': [appeal({ note: 'I read it again.' }), 'State: <strong>decided'],
  'appeal reverse': [appeal({ note: 'It insults nobody.' }), 'State: <strong>decided'],
  'complaint screen': [complaint({}), 'State: <strong>screening'],
  'complaint forward': [complaint({}, ['screen']), 'State: <strong>forwarded'],
  'complaint answer': [complaint({ answer: 'We paid.' }, ...FORWARDED), 'State: <strong>responded'],
  'complaint resolve': [complaint({ resolution: 'refunded' }, ...ANSWERED), 'State: <strong>resolved'],
  'complaint close': [complaint({ failure: 'rejected_by_broker' }, ...ANSWERED), 'State: <strong>unresolved'],
  'complaint reject': [complaint({ rejection: 'duplicate' }), 'State: <strong>rejected'],
  'complaint withdraw': [complaint({ ending: 'by_author' }), 'State: <strong>withdrawn'],
  'complaint remind': [unanswered, 'Reminder of day 10 was sent'],
  'complaint evidence': [complaint({ evidence: 'statement', place: 'vault/118.pdf' }), 'vault/118.pdf'],
  'complaint correct': [
    complaint({ correction: 'ended_by_mistake' }, ['reject', '--reason', 'duplicate']),
    'State: <strong>received',
  ],
  'warning firm': [warning(), 'State: <strong>confirmed'],
  'warning clone': [warning(), 'State: <strong>confirmed'],
  'warning reject': [warning(), 'State: <strong>rejected'],
  'warning undo': [warning('confirm'), 'State: <strong>undone'],
  'dispute uphold': [dispute({ change: 'removed' }, takeLicences), 'Ended as upheld'],
  'dispute reject': [dispute({ firmNote: 'The register has it.' }), 'Ended as rejected'],
  'dispute show': [dispute({}), '<bdi>shown</bdi>'],
  'dispute hide': [dispute({}), '<bdi>hidden</bdi>'],
  'reply publish': [reply({}), 404],
  'reply decline': [reply({ decline: 'insult' }), 404],
  'reply drop': [answered, 404],
};

const ACTIONS = Object.keys(CASES).map((name) => {
  const [kind = '', action = ''] = name.split(' ');
  return { kind, action };
});

/** The command that shows a case of a kind. */
const SHOWS: Readonly<Record<string, string>> = {
  review: 'review show',
  report: 'report list',
  appeal: 'appeal list',
  complaint: 'complaint show',
  warning: 'warning queue',
  dispute: 'dispute show',
  reply: 'reply list',
};

/** The commands of the buttons that pages have shown, by kind and action. */
const seen = new Map<string, string>();

/** Opens a case as an admin, who may do everything. Returns the command of a button; undefined if it is not there. */
const findCommand = async (kind: string, action: string, made: PreparedCase): Promise<string | undefined> => {
  const { html } = await browsers.admin.get(toPath(kind, made));
  for (const [, name = '', command = ''] of html.matchAll(/value="decide:(\w+)"[^>]* title="([^"]+)"/g))
    seen.set(`${kind} ${name}`, command);
  return html.includes(`value="decide:${action}"`) ? seen.get(`${kind} ${action}`) : undefined;
};

/** Actions that can be done again, at once. */
const STAYS = new Set(['flag', 'reply', 'evidence']);

const mayRun = (role: Role, command: string): boolean => commandsByRole.get(role)?.includes(command) === true;

const toPath = (kind: string, { id, broker }: PreparedCase): string =>
  `/desk/case/${kind}/${encodeURIComponent(id)}?broker=${broker}`;

/** Sends a decision with its fields, as the button of the case does. */
const decide = (role: Role, kind: string, action: string, { id, broker, fields }: PreparedCase) =>
  browsers[role].post(`/desk/case/${kind}/${encodeURIComponent(id)}`, {
    'form-token': formTokens[role],
    do: `decide:${action}`,
    broker,
    ...fields,
  });

describe('each action on a case that is there', () => {
  test.each(ACTIONS)(
    '$action a $kind: the roles that may run the command of its button have it, the others do not, and it acts',
    async ({ kind, action }) => {
      const [maker, after] = CASES[`${kind} ${action}`] as (typeof CASES)[string];
      const made = await maker();
      const command = (await findCommand(kind, action, made)) ?? 'no button';
      const allowed = ROLES.filter((role) => mayRun(role, command));
      expect(allowed).toContain('admin');
      const button = `value="decide:${action}"`;
      for (const role of ROLES) {
        const page = await browsers[role].get(toPath(kind, made));
        if (allowed.includes(role)) {
          expect([role, page.status]).toEqual([role, 200]);
          expect(page.html).toMatch(new RegExp(`${button}[^>]* title="${command}"`));
          continue;
        }
        expect([role, page.status < 400]).toEqual([role, mayRun(role, SHOWS[kind] ?? '') && page.status !== 404]);
        expect(page.html).not.toContain(button);
        expect([role, (await decide(role, kind, action, made)).status]).toEqual([role, 403]);
      }
      const role = allowed.at(-1) as Role; // has fewer rights than the admin, where anybody else has this one
      const decided = await decide(role, kind, action, made);
      expect([role, decided.status], decided.html).toEqual([role, 303]);
      const page = await browsers.admin.get(toPath(kind, made));
      if (after === 404) expect(page.status).toBe(404);
      else expect(page.html).toContain(after);
      if (!STAYS.has(action)) expect(page.html).not.toContain(button);
    },
    PATIENCE_MS,
  );

  test('every button of a page was tried', () => {
    expect([...seen.keys()].sort()).toEqual(Object.keys(CASES).sort());
  });
});

describe('a case that an operator may not decide', () => {
  test('nobody takes a case of which no decision is theirs, and nobody is kept from deciding it', async () => {
    const made = await dispute({ firmNote: 'The register has it.' })();
    const path = toPath('dispute', made);
    const page = await browsers.complaints.get(path);
    expect([page.status, page.html.includes('value="claim"')]).toEqual([200, false]);
    const claim = { 'form-token': formTokens.complaints, do: 'claim', broker: made.broker };
    expect((await browsers.complaints.post(path.split('?')[0] ?? '', claim)).status).toBe(403);
    expect((await browsers.editor.get(path)).html).toContain('nobody has it');
    expect((await decide('editor', 'dispute', 'reject', made)).status).toBe(303);
  });

  test('each refusal at the desk is in the trail, with the command that it was about', async () => {
    const rows: { reason: string; subject: { id: string }; after: { command: string } }[] = JSON.parse(
      await run(admin, 'audit', 'list', '--action', 'operator.refused', '--limit', '1000', '--json'),
    );
    for (const role of ROLES) {
      const noted = rows.filter(
        ({ reason, subject }) => reason === 'role_not_allowed' && subject.id === OPERATORS[role],
      );
      const commands = [...new Set(seen.values())].filter((command) => !mayRun(role, command));
      for (const command of commands) expect(noted.map(({ after }) => after.command)).toContain(command);
    }
  });
});

describe("an operator's own case", () => {
  /** Lets an operator answer for a firm, and makes a case about it. */
  const ofFirm = async (role: Role, maker: Maker): Promise<PreparedCase> => {
    const made = await maker();
    const now = new Date();
    await inDatabase(service, async (db) => {
      const account = await db.collection('accounts').findOne({ subject: `subject-${role}` });
      const named = { register: 'fca', place: '1', requestedBy: 'operator:zed', requestedAt: now, claimedAt: now };
      const own = { broker: made.broker, status: 'active', accountId: String(account?._id), ...named };
      const _id = `rp_${role}_${made.broker}`;
      await db.collection<{ _id: string }>('representatives').insertOne({ _id, ...own });
    });
    return made;
  };

  test.each<[Role, string, string]>([
    ['moderator', 'review', 'publish'],
    ['moderator', 'review', 'reply'],
    ['moderator', 'review', 'withhold'],
    ['moderator', 'report', 'keep'],
    ['outside', 'appeal', 'confirm'],
    ['complaints', 'complaint', 'screen'],
    ['complaints', 'complaint', 'evidence'],
    ['editor', 'warning', 'clone'],
    ['editor', 'dispute', 'reject'],
    ['editor', 'dispute', 'show'],
    ['moderator', 'reply', 'publish'],
  ])('%s decides no %s of a firm for which they answer (%s), and the refusal is noted', async (role, kind, action) => {
    const [maker] = CASES[`${kind} ${action}`] ?? [];
    const made = await ofFirm(role, maker as Maker);
    const answer = await decide(role, kind, action, made);
    expect([answer.status, answer.html]).toEqual([422, expect.stringContaining('You answer for the firm in')]);
    const rows = JSON.parse(
      await run(admin, 'audit', 'list', '--action', 'operator.refused', '--limit', '1', '--json'),
    );
    expect(rows).toMatchObject([{ reason: 'own_case', subject: { id: OPERATORS[role] } }]);
    expect((await decide('admin', kind, action, made)).status).toBe(303);
  });

  test('nobody decides about what they wrote: a complaint, a report and an appeal', async () => {
    const broker = takeFirm();
    const complained = await service
      .client(await createToken(service, 'subject-complaints'))
      .complaints.create(buildComplaint(broker));
    const about = await write(broker);
    await make('review', 'publish', about);
    const reported = { reason: 'insult', text: 'It calls me a thief.', faith: 'yes' };
    const sent = await browsers.moderator.send(`/reviews/${about}/report`, reported);
    const report = String(sent.location).split('/').at(-1) ?? '';
    const own = await submit(service, '/reviews', await createToken(service, 'subject-outside'), reviewBody(broker));
    const { id: written } = (await own.json()) as { id: string };
    await make('review', 'reject', written, ...DECIDED);
    const added = await make('appeal', 'add', '--review', written, '--text', 'It insults nobody.');
    const note = { note: 'I read it again.' };
    const answers = [
      await decide('complaints', 'complaint', 'screen', { broker, id: complained.reference }),
      await decide('moderator', 'report', 'keep', { broker, id: report }),
      await decide('outside', 'appeal', 'confirm', { broker, id: added.split(' ')[1] ?? '', fields: note }),
    ];
    for (const { status, html } of answers)
      expect([status, html]).toEqual([422, expect.stringContaining('You take part in')]);
  });
});

test('a decision that is held survives a failure while it is written, and is then written once', async () => {
  const made = await review({})();
  expect((await decide('moderator', 'review', 'publish', made)).status).toBe(303);
  const age = { $set: { heldAt: new Date(Date.now() - 61_000) } };
  const count = (collection: string, filter: object): Promise<number> =>
    inDatabase(service, (db) => db.collection(collection).countDocuments(filter));
  const refuseWrites = (validator: object): Promise<unknown> =>
    inDatabase(service, (db) => db.command({ collMod: 'moderationDecisions', validator }));
  const [{ options } = { options: undefined }] = (await inDatabase(service, (db) =>
    db.listCollections({ name: 'moderationDecisions' }).toArray(),
  )) as { options?: { validator?: object } }[];
  await inDatabase(service, (db) => db.collection('heldDecisions').updateMany({}, age));
  await refuseWrites({ reviewId: { $ne: made.id } });
  try {
    const failed = await service.cli('admin', 'job', 'run', 'held-decisions');
    expect(failed.code).not.toBe(0);
    expect(await count('heldDecisions', { _id: made.id } as object)).toBe(1);
    expect(JSON.parse(await make('review', 'show', made.id, '--json'))).toMatchObject({ status: 'pending' });
  } finally {
    await refuseWrites(options?.validator ?? {});
  }
  await make('admin', 'job', 'run', 'held-decisions');
  await make('admin', 'job', 'run', 'held-decisions');
  expect(await count('moderationDecisions', { reviewId: made.id })).toBe(1);
  expect(await count('heldDecisions', { _id: made.id } as object)).toBe(0);
  expect(JSON.parse(await make('review', 'show', made.id, '--json'))).toMatchObject({ status: 'published' });
});
