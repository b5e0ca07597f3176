import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, submit, succeeded } from '../support/filled-service.ts';
import { brokerRow, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, listForms, openBrowser, signIn } from '../support/sign-in.ts';
import { buildComplaint } from '../support/submissions.ts';

/** Text that would run as a script where a page does not escape it. */
const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
const ROLES = ['admin', 'moderator', 'editor', 'complaints', 'outside'] as const;
type Role = (typeof ROLES)[number];

let service: LocalService;
let admin: string;
const browsers = {} as Record<Role | 'ben', Browser>;
const reviews: string[] = [];
let complaint: string;
/** A review that the operator ben wrote, who signs in with the same subject. */
let ownReview: string;

const cli = async (...args: string[]): Promise<string> =>
  succeeded(await service.cliWith({ BROKER_RATING_TOKEN: admin }, ...args)).trim();

/** Writes reviews, one by each person. */
const writeReviews = async (count: number, over: Record<string, unknown> = {}): Promise<string[]> => {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const token = await createToken(service, `person-${reviews.length + ids.length}`);
    const answer = await submit(service, '/reviews', token, reviewBody('alpha', over));
    ids.push(((await answer.json()) as { id: string }).id);
  }
  return ids;
};

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('alpha')]);
  reviews.push(...(await writeReviews(8)));
  reviews.push(
    ...(await writeReviews(1, {
      title: `Hostile ${HOSTILE}`,
      content: `Write to me@mail.example ${HOSTILE}`,
    })),
  );
  const author = await createToken(service, 'complainant');
  const content = `They keep my money. ${HOSTILE}`;
  ({ reference: complaint } = await service
    .client(author)
    .complaints.create(buildComplaint('alpha', { title: HOSTILE, content, desiredResolution: HOSTILE })));
  for (const role of ROLES) await createToken(service, `subject-${role}`);
  const written = await submit(service, '/reviews', await createToken(service, 'subject-ben'), reviewBody('alpha'));
  ownReview = ((await written.json()) as { id: string }).id;
  await createToken(service, 'nobody');
  admin = succeeded(await service.cli('operator', 'add', 'ada', '--role', 'admin', '--quiet')).trim();
  const { hash } = JSON.parse(await cli('admin', 'operator', 'new-token', '--json'));
  await cli('operator', 'add', 'mo', '--role', 'moderator');
  await cli('operator', 'add', 'ben', '--role', 'moderator');
  await cli('operator', 'add', 'eddie', '--role', 'editor');
  await cli('operator', 'add', 'cy', '--role', 'complaints');
  await cli('operator', 'add', 'ox', '--role', 'outside', '--hash', hash);
  const alone = await service.cliWith({ BROKER_RATING_TOKEN: admin }, 'operator', 'sign-in', 'ox', 'subject-outside');
  expect(alone.stderr).toContain('one admin alone cannot give a sign-in');
  const zed = JSON.parse(await cli('admin', 'operator', 'new-token', '--json'));
  await cli('operator', 'add', 'zed', '--role', 'admin', '--hash', zed.hash);
  await cli('operator', 'sign-in', 'ox', 'subject-outside');
  succeeded(await service.cliWith({ BROKER_RATING_TOKEN: zed.token }, 'operator', 'confirm', 'ox'));
  await cli('operator', 'end', 'zed');
  const names = { admin: 'ada', moderator: 'mo', editor: 'eddie', complaints: 'cy', outside: 'ox', ben: 'ben' };
  for (const [role, name] of Object.entries(names)) {
    if (role !== 'outside') await cli('operator', 'sign-in', name, `subject-${role}`);
    browsers[role as Role] = await signIn(service, `subject-${role}`);
  }
});
afterAll(() => service?.remove());

const casePath = (kind: string, id: string): string => `/desk/case/${kind}/${encodeURIComponent(id)}`;
const decide = (browser: Browser, kind: string, id: string, action: string, fields: Record<string, string> = {}) =>
  browser.send(casePath(kind, id), { do: `decide:${action}`, ...fields });
const readStatus = async (id: string): Promise<string> => JSON.parse(await cli('review', 'show', id, '--json')).status;

/** Writes the decisions that can still be taken back, as if a minute had gone by. */
const writeHeld = async (): Promise<void> => {
  await inDatabase(service, (db) =>
    db.collection('heldDecisions').updateMany({}, { $set: { heldAt: new Date(Date.now() - 61_000) } }),
  );
  await cli('admin', 'job', 'run', 'held-decisions');
};

const readFormToken = async (browser: Browser): Promise<string> =>
  listForms((await browser.get('/desk')).html)[0]?.hidden['form-token'] ?? '';

/** Sends a decision with the form token of any page of this person. */
const sendRaw = async (browser: Browser, path: string, fields: Record<string, string>) =>
  browser.post(path, { 'form-token': await readFormToken(browser), ...fields });

describe('who gets to the desk', () => {
  test('a person who is not signed in is led to the sign-in', async () => {
    const answer = await openBrowser(service).get('/desk');
    expect([answer.status, answer.location]).toEqual([303, '/sign-in?to=%2Fdesk']);
  });

  test.each<[string, string, 'provider' | 'link']>([
    ['a person who is no operator', 'nobody', 'provider'],
    ['an operator who came by a one-time link', 'subject-admin', 'link'],
  ])('%s is refused and learns nothing', async (_, subject, method) => {
    const browser = await signIn(service, subject, { method });
    const pages = [
      '/desk',
      casePath('review', reviews[0] ?? ''),
      casePath('review', 'none'),
      casePath('nothing', 'none'),
    ];
    const answers = await Promise.all(pages.map((path) => browser.get(path)));
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const [first = '', ...others] = answers.map(({ html }) => html.replace(/request-id[^>]*/g, ''));
    const said = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(others.map(said)).toEqual(others.map(() => said(first)));
    expect(first).not.toContain('alpha');
  });

  test('an operator who ended is out at once, and so is one whose sign-in was taken away', async () => {
    await cli('operator', 'add', 'gone', '--role', 'moderator');
    await cli('operator', 'sign-in', 'gone', 'nobody');
    const browser = await signIn(service, 'nobody');
    expect((await browser.get('/desk')).status).toBe(200);
    await cli('operator', 'sign-in', 'gone', '--remove');
    expect((await browser.get('/desk')).status).toBe(403);
    await cli('operator', 'sign-in', 'gone', 'nobody');
    expect((await browser.get('/desk')).status).toBe(200);
    await cli('operator', 'end', 'gone');
    expect((await browser.get('/desk')).status).toBe(403);
  });

  test('one subject signs in as one operator only', async () => {
    const refused = await service.cliWith({ BROKER_RATING_TOKEN: admin }, 'operator', 'sign-in', 'mo', 'subject-ben');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('ben signs in with this subject already.'),
    ]);
  });

  test('a second admin has to confirm a sign-in once there are two', async () => {
    const second = await cli('operator', 'add', 'zoe', '--role', 'admin', '--quiet');
    expect(await cli('operator', 'sign-in', 'mo', 'another')).toContain(
      'Another admin has to agree: operator confirm mo',
    );
    expect((await browsers.moderator.get('/desk')).status).toBe(200);
    succeeded(await service.cliWith({ BROKER_RATING_TOKEN: second }, 'operator', 'decline', 'mo'));
    await cli('operator', 'end', 'zoe');
  });
});

describe('roles', () => {
  test('each role sees its kinds of cases alone', async () => {
    const kinds = async (role: Role) =>
      [...(await browsers[role].get('/desk')).html.matchAll(/<li><a href="\/desk\?kind=(\w+)/g)].map(
        ([, kind]) => kind,
      );
    expect(await kinds('moderator')).toEqual(['review', 'report', 'appeal', 'dispute', 'reply']);
    expect(await kinds('editor')).toEqual(['warning', 'dispute']);
    expect(await kinds('complaints')).toEqual(['complaint', 'dispute']);
    expect(await kinds('outside')).toEqual(['appeal']);
    expect(await kinds('admin')).toHaveLength(7);
  });
});

describe('cases of the operators themselves', () => {
  test('no operator decides about their own review, and the refusal is noted', async () => {
    for (const [action, fields] of [
      ['publish', {}],
      ['withdraw', { withdrawal: 'author_request' }],
    ] as const) {
      const own = await decide(browsers.ben, 'review', ownReview, action, fields);
      expect([own.status, own.html]).toEqual([422, expect.stringContaining('You take part in review')]);
    }
    const refused = JSON.parse(await cli('audit', 'list', '--action', 'operator.refused', '--limit', '500', '--json'));
    expect(refused).toContainEqual(
      expect.objectContaining({ reason: 'own_case', after: { command: 'review publish', token: 'sign-in' } }),
    );
    await browsers.moderator.send(casePath('review', ownReview), { do: 'claim' });
    const other = await sendRaw(browsers.admin, casePath('review', ownReview), {
      do: 'decide:withdraw',
      withdrawal: 'author_request',
    });
    expect([other.status, other.html]).toEqual([422, expect.stringContaining('is claimed by mo')]);
    await decide(browsers.moderator, 'review', ownReview, 'withdraw', { withdrawal: 'author_request' });
    expect(await readStatus(ownReview)).toBe('withdrawn');
  });

  test('an outside decider opens no review about which nobody appeals', async () => {
    const [, second = ''] = reviews;
    expect((await browsers.outside.get(casePath('review', second))).status).toBe(404);
    expect((await browsers.moderator.get(casePath('review', second))).status).toBe(200);
  });
});

describe('attacks', () => {
  test('no text of people becomes a part of a page', async () => {
    const [hostile = ''] = reviews.slice(-1);
    const problem = await decide(browsers.moderator, 'review', hostile, 'publish', { reason: HOSTILE, note: HOSTILE });
    const preview = await browsers.moderator.send(casePath('review', hostile), {
      do: 'preview:reject',
      reason: 'insult',
      note: HOSTILE,
    });
    const pages = [
      problem,
      preview,
      await browsers.admin.get('/desk'),
      await browsers.admin.get(casePath('review', hostile)),
      await browsers.admin.get(casePath('complaint', complaint)),
      await browsers.admin.get(`/desk?broker=${encodeURIComponent(HOSTILE)}&late=${encodeURIComponent(HOSTILE)}`),
      await browsers.admin.get(`${casePath('review', hostile)}?of=${encodeURIComponent(HOSTILE)}`),
    ];
    expect(pages.map(({ status }) => status)).toEqual([422, 200, 200, 200, 200, 200, 200]);
    for (const { html } of pages) expect(html).not.toMatch(/<img|<script>alert|<[^>]* onerror=/);
    expect(preview.html).toContain('The author gets:');
    expect(preview.html).toContain('The review is not published.');
    const ordinary = await browsers.admin.get(casePath('review', reviews[0] ?? ''));
    expect(ordinary.html).toContain('Nearly the same text');
    expect(ordinary.html).toContain('100 % the same: review of alpha');
    expect(pages[3]?.html).toContain('<mark title="contact_data">me@mail.example</mark>');
  });

  test('a form of another site, or without the token of the session, decides nothing', async () => {
    const [review = ''] = reviews;
    const path = casePath('review', review);
    const fields = { do: 'decide:publish' };
    const theirs = await readFormToken(browsers.ben);
    expect(theirs).not.toBe('');
    const answers = [
      await browsers.moderator.post(path, fields),
      await browsers.moderator.post(path, { ...fields, 'form-token': theirs }),
      await sendRaw(openBrowser(service), path, fields),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 303]);
    const token = await readFormToken(browsers.moderator);
    const foreign = { Origin: 'https://other.example', 'Sec-Fetch-Site': 'cross-site' };
    const answer = await browsers.moderator.post(path, { ...fields, 'form-token': token }, foreign);
    expect(answer.status).toBe(403);
    await writeHeld();
    expect(await readStatus(review)).toBe('pending');
  });

  test('no page of the desk is kept, framed, listed or told to other sites', async () => {
    for (const path of ['/desk', casePath('complaint', complaint)]) {
      const { headers, html } = await browsers.admin.get(path);
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('Content-Security-Policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('X-Robots-Tag')).toBe('noindex');
      expect(headers.get('Referrer-Policy')).toBe('same-origin');
      expect(html).toContain('<meta name="robots" content="noindex">');
    }
  });
});

describe('work', () => {
  test('a decision waits, can be taken back, and is written with the next one', async () => {
    const [first = '', second = ''] = reviews;
    const { moderator } = browsers;
    const next = await decide(moderator, 'review', first, 'reject', { reason: 'insult', note: 'It shouts.' });
    expect([next.status, next.location]).toEqual([303, `${casePath('review', second)}`]);
    expect(await readStatus(first)).toBe('pending');
    expect((await moderator.get(casePath('review', second))).html).toContain('Your last decision, reject, insult');
    const other = await decide(browsers.ben, 'review', second, 'publish').catch((error: Error) => error.message);
    expect(other).toContain('has no form');
    const back = await moderator.send('/desk', { do: 'undo' });
    expect([back.status, back.location]).toEqual([303, casePath('review', first)]);
    await decide(moderator, 'review', first, 'publish');
    expect(await readStatus(first)).toBe('pending');
    await decide(moderator, 'review', second, 'reject', { reason: 'off_topic' });
    expect([await readStatus(first), await readStatus(second)]).toEqual(['published', 'pending']);
    await writeHeld();
    expect(await readStatus(second)).toBe('rejected');
    const shown = JSON.parse(await cli('review', 'show', second, '--json'));
    expect(shown.decisions[0]).toMatchObject({ decidedBy: 'operator:mo', statement: { reasonCode: 'off_topic' } });
    const acted = JSON.parse(await cli('audit', 'list', '--action', 'operator.acted', '--limit', '500', '--json'));
    expect(acted).toContainEqual(
      expect.objectContaining({
        actor: { type: 'operator', name: 'mo', token: 'sign-in' },
        after: { command: 'review reject', token: 'sign-in' },
      }),
    );
  });

  test('an operator who was signed out keeps what they typed, and sends it again once they are back', async () => {
    const id = reviews[5] ?? '';
    const path = casePath('review', id);
    const typed = { do: 'decide:reject', reason: 'insult', note: `A person is insulted. ${HOSTILE}`, of: 'review' };
    const away = await openBrowser(service).post(path, typed);
    expect([away.status, away.html.includes('<script>alert')]).toEqual([403, false]);
    const kept = ['You were signed out', 'A person is insulted.', 'name="reason" value="insult"'];
    for (const part of [...kept, '<button>Send it again: decide reject, insult</button>'])
      expect(away.html).toContain(part);
    for (const part of ['alpha', 'hreflang', 'Hostile']) expect(away.html).not.toContain(part);

    const back = await browsers.moderator.post(path, typed); // the same form, in a session of its own
    expect([back.status, back.html.includes('You have signed in since.')]).toEqual([403, true]);
    const form = listForms(back.html).find(({ action }) => action === path);
    expect((await browsers.moderator.post(path, { ...form?.hidden, note: 'A person is insulted.' })).status).toBe(303);
    await writeHeld();
    expect(await readStatus(id)).toBe('rejected');

    const empty = await openBrowser(service).post(path, { do: 'decide:publish' });
    expect(empty.location).toBe(`/sign-in?to=${encodeURIComponent(path)}`);
    const foreign = await openBrowser(service).post(path, typed, { Origin: 'https://evil.example' });
    expect([foreign.status, foreign.html]).toEqual([303, '']);
  });

  test('a reason that needs a note is refused at its field, and a reason with a publication too', async () => {
    const [, , third = ''] = reviews;
    const without = await decide(browsers.moderator, 'review', third, 'reject', { reason: 'other_with_text' });
    expect([without.status, without.html]).toEqual([422, expect.stringContaining('add a note')]);
    const both = await decide(browsers.moderator, 'review', third, 'publish', { reason: 'insult' });
    expect(both.status).toBe(422);
    expect(both.html).toMatch(/<fieldset aria-describedby="reason-0-problem" aria-invalid="true">/);
  });

  test('two people never hold one case: who is slower sees who has it, and gets no form', async () => {
    const { admin: ada, complaints: cy } = browsers;
    const taken = await Promise.all(
      [ada, cy].map((one) => one.send(casePath('complaint', complaint), { do: 'claim' })),
    );
    expect(taken.map(({ status }) => status).sort()).toEqual([303, 422]);
    const [holder, other] = taken[0]?.status === 303 ? [ada, cy] : [cy, ada];
    const shown = await other.get(casePath('complaint', complaint));
    expect(shown.html).toMatch(/<bdi>(ada|cy)<\/bdi> has it until/);
    expect(shown.html).not.toContain('decide:screen');
    const late = await sendRaw(other, casePath('complaint', complaint), { do: 'decide:screen' });
    expect([late.status, late.html]).toEqual([422, expect.stringMatching(/is claimed by (ada|cy) until/)]);
    const command = await service.cliWith({ BROKER_RATING_TOKEN: admin }, 'complaint', 'screen', complaint);
    expect(command.code).toBe(holder === ada ? 0 : 1);
    await holder.send(casePath('complaint', complaint), { do: 'release' });
    const free = await other.get(casePath('complaint', complaint));
    expect(free.html).toContain('nobody has it');
  });

  test('a complaint goes through its clocks at the desk', async () => {
    const { complaints: cy } = browsers;
    if ((await cy.get(casePath('complaint', complaint))).html.includes('decide:screen'))
      await decide(cy, 'complaint', complaint, 'screen');
    await decide(cy, 'complaint', complaint, 'forward');
    const shown = await cy.get(casePath('complaint', complaint));
    expect(shown.html).toContain('First clock: the answer of the broker is due');
    expect(shown.html).toContain('Second clock: it ends without an answer');
    const wrong = await decide(cy, 'complaint', complaint, 'answer', { at: 'yesterday' });
    expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('id="at-0-problem"')]);
    await decide(cy, 'complaint', complaint, 'answer', { answer: `They paid. ${HOSTILE}` });
    const answered = await cy.get(casePath('complaint', complaint));
    expect(answered.html).toContain('The broker answered, in time');
    expect(answered.html).not.toContain('<img');
    await decide(cy, 'complaint', complaint, 'resolve', { resolution: 'refunded' });
    expect(JSON.parse(await cli('complaint', 'show', complaint, '--json'))).toMatchObject({
      status: 'resolved',
      ending: 'refunded',
    });
  });

  test('a report and an appeal against its decision need two people, and show the contact to moderators alone', async () => {
    const [review = ''] = reviews;
    await cli(
      'report',
      'add',
      review,
      '--reason',
      'insult',
      '--text',
      'It calls me a thief.',
      '--contact',
      'reporter@mail.example',
    );
    const { moderator: mo, ben, outside } = browsers;
    const [, report = ''] = /\/desk\/case\/report\/(\w+)/.exec((await mo.get('/desk?kind=report')).html) ?? [];
    expect((await mo.get(casePath('report', report))).html).toContain('reporter@mail.example');
    await decide(mo, 'report', report, 'keep');
    await cli('appeal', 'add', '--report', report, '--text', 'It does call me a thief.');
    const [, appeal = ''] = /\/desk\/case\/appeal\/(\w+)/.exec((await mo.get('/desk?kind=appeal')).html) ?? [];
    expect((await ben.get(casePath('appeal', appeal))).html).toContain('reporter@mail.example');
    expect((await outside.get(casePath('appeal', appeal))).html).not.toContain('reporter@mail.example');
    expect((await outside.get(casePath('review', review))).status).toBe(200);
    const own = await decide(mo, 'appeal', appeal, 'confirm', { note: 'I read it again.' });
    expect([own.status, own.html]).toEqual([422, expect.stringContaining('somebody else has to decide')]);
    const refused = JSON.parse(await cli('audit', 'list', '--action', 'operator.refused', '--limit', '500', '--json'));
    expect(refused).toContainEqual(
      expect.objectContaining({ reason: 'same_person', after: { command: 'appeal decide', token: 'sign-in' } }),
    );
    const decided = await decide(outside, 'appeal', appeal, 'confirm', { note: 'It is criticism, no insult.' });
    expect([decided.status, decided.location]).toEqual([303, '/desk']);
  });
});
