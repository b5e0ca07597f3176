import { ModerationTransparency, REASON_CODES } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { fetchCounts, readRefusal, runJson } from '../support/moderation.ts';
import { runCli } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { buildReview } from '../support/submissions.ts';
import { readAudit } from '../support/trail.ts';

const BROKERS = ['queue', 'decide', 'flags', 'hints', 'reports', 'appeals', 'reply', 'counts', 'race', 'withheld'];
const TEXT = 'The author writes about another company, as the second line shows.';

let service: LocalService;
let alice: string;
let bob: string;

beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    BROKERS.map((slug) => brokerRow(slug)),
  );
  [alice, bob] = await Promise.all([createToken(service, 'alice'), createToken(service, 'bob')]);
});
afterAll(() => service?.remove());

const cli = (...args: string[]) => service.cli(...args);
const done = async (...args: string[]) => succeeded(await cli(...args)).trim();
const refused = async (...args: string[]) => readRefusal(await cli(...args));
const submit = async (token: string, broker: string, over = {}) =>
  (await service.client(token).reviews.create(buildReview(broker, over))).id;
const published = async (token: string, broker: string, over = {}) => {
  const id = await submit(token, broker, over);
  await done('review', 'publish', id, '--actor', 'first');
  return id;
};
const account = (token: string, path: string, body?: unknown) =>
  send(`${service.origin}/account/v1${path}`, { token, ...(body === undefined ? {} : { body }) });
const readStatus = async (token: string, id: string) =>
  (await account(token, '/reviews?limit=100'))
    .json<{ data: { id: string; status: string }[] }>()
    .data.find((row) => row.id === id)?.status;
const findId = (text: string) => /[0-9a-f]{24}/.exec(text)?.[0] as string;

describe('the queue', () => {
  test('gives each moderator a different review, and each keeps it', async () => {
    const [first, second] = [await submit(alice, 'queue'), await submit(bob, 'queue')];
    const next = async (actor: string) => JSON.parse(await done('review', 'next', '--actor', actor, '--json'))?.id;
    expect([await next('anna'), await next('ben'), await next('anna'), await next('cleo')]).toEqual([
      first,
      second,
      first,
      undefined,
    ]);
    const claimed = new RegExp(`^Review ${first} is claimed by anna until \\S+Z\\.$`);
    expect(await refused('review', 'claim', first, '--actor', 'ben')).toMatch(claimed);
    expect(await refused('review', 'publish', first, '--actor', 'ben')).toMatch(claimed);
    expect(await refused('review', 'release', first, '--actor', 'ben')).toMatch(claimed);
    expect(await readStatus(alice, first)).toBe('pending');

    await done('review', 'release', first, '--actor', 'anna');
    await done('review', 'claim', first, '--actor', 'ben');
    await done('review', 'publish', first, '--actor', 'ben');
    expect(await refused('review', 'claim', first, '--actor', 'ben')).toContain('is published: only a pending one');

    await inDatabase(service, (db) =>
      db.collection('reviews').updateOne({ 'claim.by': 'ben' }, { $set: { 'claim.until': new Date(Date.now() - 1) } }),
    );
    expect(await next('cleo')).toBe(second);
    await done('review', 'publish', second, '--actor', 'cleo');
  });

  test('never gives one review to two moderators who ask simultaneously', async () => {
    const ids = [await submit(alice, 'race'), await submit(bob, 'race')];
    const next = (actor: string) => runCli(['review', 'next', '--actor', actor, '--json'], service.data);
    const asked = (await Promise.all(['a', 'b'].map(next))).map(succeeded);
    expect(asked.map((text) => JSON.parse(text).id).sort()).toEqual(ids.sort());
    for (const [index, id] of asked.map((text) => JSON.parse(text).id).entries())
      await done('review', 'reject', id, '--reason', 'off_topic', '--actor', index === 0 ? 'a' : 'b');
  });
});

describe('a decision', () => {
  test('a decision stores its reasons, which the author reads, and no text in the audit trail', async () => {
    const id = await submit(alice, 'decide');
    await done('review', 'reject', id, '--reason', 'off_topic', '--note', TEXT, '--actor', 'anna');
    const own = (await account(alice, '/reviews')).json<{ data: Record<string, never>[] }>().data[0];
    expect(own).toMatchObject({
      id,
      status: 'rejected',
      decision: {
        decision: 'reject',
        statement: { facts: TEXT, reasonCode: 'off_topic', ground: 'terms', automatedMeans: false },
      },
    });
    const trail = await readAudit(service, id);
    expect(trail.at(-1)).toMatchObject({
      action: 'review.rejected',
      actor: { type: 'operator', name: 'anna' },
      reason: 'off_topic',
      before: { status: 'pending' },
      after: { status: 'rejected' },
    });
    expect(JSON.stringify(trail)).not.toContain('another company');
  });

  test('a decision that the state forbids, or that lacks a text, changes nothing and says why', async () => {
    const id = await submit(alice, 'decide');
    const trail = await readAudit(service, id);
    expect(await refused('review', 'remove', id, '--reason', 'insult')).toBe(
      `Review ${id} is pending and cannot become removed. From there it can become published, rejected, withdrawn.`,
    );
    expect(await refused('review', 'reject', id, '--reason', 'other_with_text')).toContain('add a note');
    expect(await refused('review', 'publish', 'nothing')).toBe('No review has the id "nothing".');
    expect(await readStatus(alice, id)).toBe('pending');
    expect(await readAudit(service, id)).toEqual(trail);
    await done('review', 'withdraw', id, '--reason', 'author_request');
  });
});

/** Causes and states of a review's entries in the record. */
const readEntries = (id: string) =>
  inDatabase(service, async (db) => {
    const entries = db.collection('recordEntries').find({ key: `review/${id}` });
    return (await entries.sort({ sequence: 1 }).toArray()).map(({ cause, value }) => [cause, JSON.parse(value).state]);
  });

describe('a review that is withheld', () => {
  const withhold = (id: string, actor: string) =>
    done('review', 'withhold', id, '--reason', 'unlawful', '--days', '14', '--note', TEXT, '--actor', actor);
  const shown = async () => {
    await service.settle();
    const { ratingSummary } = await service.client().brokers.get('withheld');
    const { data } = await service.client().reviews.list({ broker: 'withheld' });
    const { reviews } = await fetchCounts(service, 'withheld');
    return {
      rated: ratingSummary.count,
      listed: data.length,
      published: reviews.published,
      withheld: reviews.withheld,
    };
  };
  const own = async () => (await account(alice, '/reviews')).json<{ data: unknown[] }>().data[0];
  const endTime = (id: string) =>
    inDatabase(service, (db) =>
      db
        .collection('reviews')
        .updateOne({ status: 'withheld' }, { $set: { withheldUntil: new Date(Date.now() - 1) } })
        .then(({ matchedCount }) => expect(matchedCount, id).toBe(1)),
    );

  test('a withheld review is not public, counts nowhere, and comes back by itself when its time is over', async () => {
    const id = await published(alice, 'withheld');
    const before = await shown();
    expect(before).toMatchObject({ listed: 1, published: 1, withheld: 0 });
    expect(await withhold(id, 'anna')).toMatch(/is withheld until \S+Z\.$/);
    expect(await shown()).toEqual({ rated: before.rated - 1, listed: 0, published: 0, withheld: 1 });
    expect(await own()).toMatchObject({
      status: 'withheld',
      decision: { decision: 'withhold', statement: { reasonCode: 'unlawful', ground: 'law', facts: TEXT } },
    });
    expect((await readEntries(id)).at(-1)).toEqual(['fact', 'withheld']);
    await done('admin', 'job', 'run', 'withheld-reviews');
    expect(await readStatus(alice, id)).toBe('withheld');
    await endTime(id);
    await done('admin', 'job', 'run', 'withheld-reviews');
    expect(await shown()).toEqual(before);
    expect((await readAudit(service, id)).at(-1)).toMatchObject({
      action: 'review.published',
      reason: 'withholding_ended',
    });
    await done('review', 'withdraw', id, '--reason', 'author_request');
  });

  test('a withheld review blocks another one of its author, and returns once the claim is dismissed', async () => {
    const id = await published(alice, 'withheld');
    await withhold(id, 'anna');
    await expect(submit(alice, 'withheld')).rejects.toThrow(/already have a review/);
    await account(alice, `/reviews/${id}/appeal`, { text: TEXT });
    await done('review', 'restore', id, '--reason', 'claim_dismissed', '--actor', 'anna');
    expect(await own()).toMatchObject({ status: 'published', appeal: { status: 'decided', outcome: 'ended' } });
    await done('review', 'withdraw', id, '--reason', 'author_request');
  });

  test('a withheld review is removed only after an appeal against the withholding was decided', async () => {
    const id = await published(alice, 'withheld');
    await withhold(id, 'anna');
    const appeal = (await account(alice, `/reviews/${id}/appeal`, { text: TEXT })).json<{ id: string }>();
    const remove = ['review', 'remove', id, '--reason', 'unlawful', '--note', TEXT, '--actor', 'anna'] as const;
    expect(await refused(...remove)).toContain(`decide appeal ${appeal.id} first`);
    await done('appeal', 'decide', appeal.id, 'confirm', '--note', 'Read again.', '--actor', 'ben');
    await done(...remove);
    expect(await readStatus(alice, id)).toBe('removed');
  });

  test('a review is withheld for 60 days at most', async () => {
    const id = await published(alice, 'withheld');
    for (const days of ['0', '61', '1.5', '-1'])
      expect(await cli('review', 'withhold', id, '--reason', 'insult', `--days=${days}`), days).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Give a whole number of days from 1 to 60.'),
      });
    await done('review', 'withdraw', id, '--reason', 'author_request');
  });
});

test('a review that was taken down by mistake is brought back by a second person, which the record says', async () => {
  const id = await published(alice, 'withheld');
  await done('review', 'remove', id, '--reason', 'insult', '--actor', 'anna');
  expect(await refused('review', 'restore', id, '--reason', 'claim_dismissed')).toContain('only one that is withheld');
  expect(await refused('review', 'restore', id, '--reason', 'our_error', '--actor', 'anna')).toContain('somebody else');
  await done('review', 'restore', id, '--reason', 'our_error', '--actor', 'ben');
  expect(await readStatus(alice, id)).toBe('published');
  await service.settle();
  expect(await readEntries(id)).toEqual([
    ['fact', 'published'],
    ['fact', 'removed'],
    ['correction', 'published'],
  ]);
  expect(await refused('review', 'restore', id, '--reason', 'our_error')).toContain('is published');
});

test('a flag is independent of the state', async () => {
  const id = await published(alice, 'flags');
  await done('review', 'flag', id, '--reason', 'advertising', '--note', 'Looks paid for.', '--actor', 'anna');
  const [row] = await runJson(service, 'review', 'list', '--flagged');
  expect(row).toMatchObject({
    id,
    status: 'published',
    flags: [{ reasonCode: 'advertising', note: 'Looks paid for.' }],
  });
  expect((await service.client().reviews.list({ broker: 'flags' })).data).toHaveLength(1);
  await done('review', 'flag', id, '--remove');
  expect(await runJson(service, 'review', 'list', '--flagged')).toEqual([]);
  expect(await refused('review', 'flag', id, '--remove')).toContain('has no flag');
});

test('hints show moderators where to look, and decide nothing', async () => {
  const content =
    'They refused my withdrawal and blocked me, see https://better.example for a better broker than this one.';
  const first = await submit(alice, 'hints', { rating: 5, title: 'Never again', content });
  const second = await submit(bob, 'hints', { rating: 1, content: `${content} Really.` });
  const rows = await runJson<{ id: string; hints: { code: string; detail: string }[] }>(service, 'review', 'list');
  const findHints = (id: string) => rows.find((row) => row.id === id)?.hints ?? [];
  expect(findHints(first).map(({ code }) => code)).toEqual(['near_duplicate', 'link', 'tone']);
  expect(findHints(second).map(({ code }) => code)).toEqual(['near_duplicate', 'link']);
  expect(findHints(second)[0]?.detail).toContain(first);
  expect(await done('review', 'list')).toContain('near_duplicate link tone');
  expect([await readStatus(alice, first), await readStatus(bob, second)]).toEqual(['pending', 'pending']);
});

describe('a report', () => {
  test('a report that is upheld removes the review and answers every other report about it', async () => {
    const id = await published(alice, 'reports');
    const mailed = await done('report', 'add', id, '--reason', 'insult', '--text', TEXT, '--contact', 'me@example.org');
    expect((await account(bob, '/reports', { reviewId: id, reason: 'off_topic', text: TEXT })).status).toBe(201);
    expect(
      (await runJson(service, 'review', 'list', '--status', 'published')).find((row) => row['id'] === id),
    ).toMatchObject({
      openReports: 2,
    });
    const open = await runJson(service, 'report', 'list');
    expect(open.map(({ reviewId, status }) => [reviewId, status])).toEqual([
      [id, 'open'],
      [id, 'open'],
    ]);
    await done('report', 'decide', findId(mailed), 'remove', '--reason', 'off_topic', '--actor', 'anna');
    expect(await readStatus(alice, id)).toBe('removed');
    expect(await runJson(service, 'report', 'list')).toEqual([]);
    expect((await account(bob, '/reports')).json()['data']).toMatchObject([
      { status: 'decided', outcome: 'removed', decision: { decision: 'remove', appealUntil: null } },
    ]);
    expect(await refused('report', 'decide', findId(mailed), 'keep')).toContain('is decided: the review was removed');
    expect(await fetchCounts(service, 'reports')).toMatchObject({ reports: { received: 2, open: 0, upheld: 2 } });
    const everything = await inDatabase(service, (db) => db.collection('audit').find().toArray());
    expect(JSON.stringify(everything)).not.toMatch(/me@example|another company/);
  });

  test('a report is closed if the author withdraws the review', async () => {
    const id = await published(bob, 'reports');
    await done('report', 'add', id, '--reason', 'insult', '--text', TEXT, '--contact', 'me@example.org');
    await done('review', 'withdraw', id, '--reason', 'author_request');
    expect(await runJson(service, 'report', 'list')).toEqual([]);
    const decided = await runJson(service, 'report', 'list', '--status', 'decided');
    expect(decided).toContainEqual(expect.objectContaining({ reviewId: id, outcome: 'withdrawn' }));
    expect(
      await refused('report', 'add', id, '--reason', 'insult', '--text', TEXT, '--contact', 'a@b.example'),
    ).toContain('No published review');
  });
});

describe('an appeal', () => {
  let kept: string;
  let reporters: string;
  const decide = (id: string, verdict: string, actor: string, ...more: string[]) =>
    ['appeal', 'decide', id, verdict, '--note', 'Read again.', '--actor', actor, ...more] as const;

  test('an appeal of the author is decided by another moderator, and can bring the review back', async () => {
    const id = await published(alice, 'appeals');
    await done('review', 'remove', id, '--reason', 'insult', '--actor', 'anna');
    await service.settle();
    expect((await service.client().brokers.get('appeals')).ratingSummary.count).toBe(0);
    const appeal = (await account(alice, `/reviews/${id}/appeal`, { text: TEXT })).json<{ id: string }>();
    const before = await runJson(service, 'appeal', 'list');
    expect(await refused(...decide(appeal.id, 'reverse', 'anna'))).toBe(
      'operator:anna made the decision to remove that is appealed: somebody else has to decide (--actor).',
    );
    for (const same of ['anna', 'Anna', ' ANNA '])
      expect(await refused(...decide(appeal.id, 'confirm', same)), same).toContain('somebody else');
    expect(await runJson(service, 'appeal', 'list')).toEqual(before);

    await done(...decide(appeal.id, 'reverse', 'ben'));
    expect(await readStatus(alice, id)).toBe('published');
    await service.settle();
    expect((await service.client().brokers.get('appeals')).ratingSummary.count).toBe(1);
    expect((await account(alice, '/reviews')).json<{ data: unknown[] }>().data[0]).toMatchObject({
      id,
      decision: { decision: 'publish' },
      appeal: { outcome: 'reversed', facts: 'Read again.' },
    });
    expect(await refused(...decide(appeal.id, 'confirm', 'cleo'))).toContain('is decided: reversed');
  });

  test('an appeal cannot bring a review back beside a newer one of the same person', async () => {
    const id = await published(bob, 'appeals');
    await done('review', 'remove', id, '--reason', 'insult', '--actor', 'anna');
    const { id: appeal } = (await account(bob, `/reviews/${id}/appeal`, { text: TEXT })).json<{ id: string }>();
    const newer = await submit(bob, 'appeals');
    expect(await refused(...decide(appeal, 'reverse', 'ben'))).toContain('another review of this broker since');
    expect(await readStatus(bob, id)).toBe('removed');
    expect((await runJson(service, 'appeal', 'list')).map((row) => row['id'])).toEqual([appeal]);
    await done(...decide(appeal, 'confirm', 'ben'));
    await done('review', 'withdraw', newer, '--reason', 'author_request');
  });

  test('an appeal of a reporter is possible once, after the report is decided', async () => {
    kept = await published(bob, 'appeals');
    const report = findId(
      await done('report', 'add', kept, '--reason', 'insult', '--text', TEXT, '--contact', 'me@example.org'),
    );
    expect(await refused('appeal', 'add', '--report', report, '--text', TEXT)).toContain('is open');
    await done('report', 'decide', report, 'keep', '--actor', 'anna');
    reporters = findId(await done('appeal', 'add', '--report', report, '--text', TEXT));
    expect(await refused('appeal', 'add', '--report', report, '--text', TEXT)).toContain('already');
  });

  test('an appeal of a reporter can remove a kept review; no earlier moderator decides the next appeal', async () => {
    expect(await refused(...decide(reporters, 'reverse', 'anna', '--reason', 'insult'))).toContain('decision to keep');
    expect(await refused(...decide(reporters, 'reverse', 'ben'))).toBe('To remove a review needs a reason code.');
    await done(...decide(reporters, 'reverse', 'ben', '--reason', 'insult'));
    expect(await readStatus(bob, kept)).toBe('removed');

    const { id } = (await account(bob, `/reviews/${kept}/appeal`, { text: TEXT })).json<{ id: string }>();
    for (const actor of ['anna', 'ben'])
      expect(await refused(...decide(id, 'confirm', actor))).toContain('somebody else');
    await done(...decide(id, 'confirm', 'cleo'));
    expect(await fetchCounts(service, 'appeals')).toMatchObject({ appeals: { received: 4, open: 0, reversed: 2 } });
  });

  test('an appeal is possible for six months', async () => {
    const id = await submit(alice, 'decide');
    await done('review', 'reject', id, '--reason', 'insult');
    const set = (decidedAt: Date) =>
      inDatabase(service, (db) =>
        db.collection('moderationDecisions').updateOne({ reviewId: id }, { $set: { decidedAt } }),
      );
    await set(new Date(Date.now() - 185 * 86_400_000));
    expect(await refused('appeal', 'add', '--review', id, '--text', TEXT)).toContain('was possible until');
    await set(new Date(Date.now() - 180 * 86_400_000));
    await done('appeal', 'add', '--review', id, '--text', TEXT);
  });
});

test("a broker's reply appears with the review everywhere, until it is removed", async () => {
  const id = await published(alice, 'reply');
  const shown = async () => {
    const [review] = (await service.client().reviews.list({ broker: 'reply' })).data;
    const [recent] = (await service.client().brokers.get('reply')).recentReviews;
    return [review?.reply?.content, recent?.reply?.content];
  };
  await done('review', 'reply', id, '--content', 'Thank you, we will tell the team.', '--actor', 'anna');
  await service.settle();
  expect(new Set(await shown())).toEqual(new Set(['Thank you, we will tell the team.']));
  expect((await readAudit(service, id)).at(-1)).toMatchObject({
    action: 'review.replied',
    before: { reply: false },
    after: { reply: true },
  });
  await done('review', 'reply', id, '--remove');
  await service.settle();
  expect(await shown()).toEqual([undefined, undefined]);
  expect(await refused('review', 'reply', id, '--remove')).toContain('no reply to remove');
  await done('review', 'remove', id, '--reason', 'insult');
  expect(await refused('review', 'reply', id, '--content', 'Too late.')).toContain('is removed: only a published one');
});

describe('the public counts', () => {
  test('the public counts show the outcome of every review, with the reasons', async () => {
    const ids = { published: await published(alice, 'counts'), pending: await submit(bob, 'counts') };
    const carol = await createToken(service, 'carol');
    await done('review', 'reject', await submit(carol, 'counts'), '--reason', 'duplicate');
    const counts = await fetchCounts(service, 'counts');
    expect(ModerationTransparency.strict().parse(counts)).toEqual(counts);
    expect(counts).toMatchObject({
      brokerSlug: 'counts',
      reviews: { received: 3, pending: 1, published: 1, withdrawn: 0, rejected: { duplicate: 1, insult: 0 } },
    });
    expect(counts.reasons.map(({ code }: { code: string }) => code)).toEqual(REASON_CODES);
    await done('review', 'remove', ids.published, '--reason', 'personal_data', '--note', TEXT);
    await done('review', 'withdraw', ids.pending, '--reason', 'author_request');
    expect((await fetchCounts(service, 'counts')).reviews).toMatchObject({
      received: 3,
      pending: 0,
      published: 0,
      withdrawn: 1,
      removed: { personal_data: 1 },
    });
    expect((await send(`${service.origin}/transparency/v1/moderation/nobody`)).status).toBe(404);
  });

  test('the public counts follow from the records; a difference is found and repaired', async () => {
    expect(await done('admin', 'moderation', 'recount', '--check')).toMatch(/^10 brokers compared, 0 different\.$/);
    await inDatabase(service, async (db) => {
      await db
        .collection('moderationCounts')
        .updateOne({ broker: 'counts' }, { $inc: { 'reviews.rejected.duplicate': -1 } });
      await db.collection('moderationCounts').deleteMany({ broker: 'flags' });
    });
    const check = await cli('admin', 'moderation', 'recount', '--check');
    expect([check.code, check.stderr.trim()]).toEqual([1, 'Different: counts, flags']);
    expect(await done('admin', 'moderation', 'recount')).toContain('2 repaired');
    expect(await done('admin', 'moderation', 'recount', '--check')).toContain('0 different');
    expect((await fetchCounts(service, 'counts')).reviews.rejected.duplicate).toBe(1);
  });

  test('the documents of the brokers stay consistent with the facts', async () => {
    expect(await done('admin', 'rebuild', '--check')).toMatch(/^10 brokers compared, 0 different\.\n/);
  });
});
