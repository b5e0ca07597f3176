import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { verifyReview, verifyStatement } from '@broker-transparency/client/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, importRows, submit, succeeded } from '../support/filled-service.ts';
import { runCli } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { createPolicy, type LogService, startLogService, untilAllSigned } from '../support/signed-log.ts';
import { buildReview } from '../support/submissions.ts';

type LoadedPage = Awaited<ReturnType<Browser['get']>>;

const CLIENT = fileURLToPath(new URL('../../client/dist/cli.js', import.meta.url));
const DAY_MS = 86_400_000;
const XSS = '"><script>document.title="run"</script><img src=x onerror=alert(1)>';
const CONTENT = 'I withdrew twice this year, and both times the money came within two days.';
const REVIEW = { rating: '4', title: 'Quick to pay out', content: CONTENT, language: 'en', do: 'preview' };
const COMPLAINT = {
  category: 'withdrawal',
  title: 'No answer for weeks',
  content: 'I asked for my balance four weeks ago and nobody has answered me since then.',
  consent: 'yes',
  do: 'preview',
};

let log: LogService;
let service: LogService['service'];

beforeAll(async () => {
  log = await startLogService();
  service = log.service;
  await importRows(service, 'brokers', [
    brokerRow('alpha-markets', { name: 'Alpha Markets' }),
    brokerRow('beta-trade', { name: 'Beta <b>Trade</b>' }),
    brokerRow('gone-fx', { name: 'Gone FX', status: 'ceased' }),
  ]);
  await service.settle();
});
afterAll(() => log?.remove());

let people = 0;

/** Signs a new person in. */
const enter = async (kyc: 'verified' | 'none' = 'verified'): Promise<{ browser: Browser; subject: string }> => {
  const subject = `person-${++people}`;
  await createToken(service, subject, kyc === 'none' ? { kyc: 'none' } : {});
  return { browser: await signIn(service, subject), subject };
};

/** Sends a form of a page, and follows where the answer leads to. */
const sendAndFollow = async (browser: Browser, path: string, fields: Record<string, string>): Promise<LoadedPage> => {
  const answer = await browser.send(path, fields);
  expect([answer.status, answer.html.match(/<strong>.*?<\/strong>/g)]).toEqual([303, null]);
  return browser.get(answer.location ?? '');
};

const write = (kind: 'review' | 'complaint', slug = 'alpha-markets') => `/write/${kind}?broker=${slug}`;

/** Writes and sends a text. Returns the address of its receipt. */
const sendText = async (browser: Browser, kind: 'review' | 'complaint', slug?: string): Promise<string> => {
  await browser.send(write(kind, slug), kind === 'review' ? REVIEW : COMPLAINT);
  const sent = await browser.send(`${write(kind, slug)}&step=preview`, { agree: 'yes' });
  expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(new RegExp(`^/mine/${kind}s/.*sent=yes$`))]);
  return (sent.location ?? '').replace('?sent=yes', '');
};

/** Names of the fields that a page says are wrong, by the text that they are tied to. */
const readFaults = (html: string): string[] =>
  [...html.matchAll(/aria-describedby="([^"]*)" aria-invalid="true"/g)].map(([, ids = '']) => {
    const id = ids.split(' ').at(-1) as string;
    expect(html, 'the page has the text of the problem').toContain(`id="${id}"`);
    return id.replace(/^field-(.*)-problem$/, '$1');
  });

const countStored = (collection: string, filter = {}): Promise<number> =>
  inDatabase(service, (db) => db.collection(collection).countDocuments(filter));

const findAccountId = (subject: string): Promise<string | undefined> =>
  inDatabase(service, async (db) => {
    const account = await db.collection<{ _id: string; subject: string }>('accounts').findOne({ subject });
    return account?._id;
  });

describe('a review', () => {
  test('a review is written in three steps without script, published, and proven by the file of its author', async () => {
    const { browser, subject } = await enter();
    expect((await browser.get('/write/review')).html).toContain('your identity must be verified');
    expect((await browser.get('/write/review?q=alpha')).html).toContain('href="/write/review?broker=alpha-markets"');
    const preview = await sendAndFollow(browser, write('review'), REVIEW);
    expect(preview.html).toContain('4 of 5 stars');
    expect(preview.html).toContain(CONTENT);
    const without = await browser.send(`${write('review')}&step=preview`);
    expect([without.status, readFaults(without.html)]).toEqual([422, ['agree']]);
    const receipt = await sendText(browser, 'review');
    const id = receipt.split('/').at(-1) as string;
    const sent = await browser.get(`${receipt}?sent=yes`);
    expect(sent.html).toContain('We have received your review');
    expect(sent.html).toContain(`<code>${id}</code>`);
    expect(sent.html).toContain('There is no proof yet. Some seconds after the review is published');
    const kept = [...sent.html.matchAll(/<code>([\w+/]{43}=)<\/code>/g)].map(([, value = '']) => value);
    const [titleMark, titleSalt, textMark, textSalt] = kept;
    const mark = (salt: string | undefined, text: string) =>
      hash('sha256', Buffer.concat([Buffer.from(String(salt), 'base64'), Buffer.from(text)]), 'base64');
    expect([titleMark, textMark]).toEqual([mark(titleSalt, REVIEW.title), mark(textSalt, CONTENT)]);
    expect((await browser.get('/mine')).html).toContain('waiting');
    expect(await countStored('drafts', { accountId: await findAccountId(subject) })).toBe(0);
    succeeded(await service.cli('review', 'publish', id));
    await untilAllSigned(service);
    const mine = await browser.get(receipt);
    expect(mine.html).toContain('<p class="lead">Published</p>');
    const file = await browser.get(`${receipt}/proof`);
    expect(file.headers.get('Content-Disposition')).toBe(`attachment; filename="review-${id}.json"`);
    const { texts } = await verifyReview(file.html, { policy: createPolicy(log.key) });
    expect(texts).toMatchObject({ title: REVIEW.title, content: CONTENT });
    const shown = JSON.parse(file.html);
    expect([shown.texts.title.salt, shown.texts.content.salt]).toEqual([titleSalt, textSalt]);
    const [entry] = await inDatabase(service, (db) =>
      db
        .collection('recordEntries')
        .find({ key: `review/${id}` })
        .toArray(),
    );
    const { texts: commitments } = JSON.parse(entry?.['value']);
    expect([commitments.title, commitments.content]).toEqual([titleMark, textMark]);
    expect((await browser.get(receipt)).html).not.toContain(`${titleSalt}</code>`);
    const accountId = await findAccountId(subject);
    const stored = await inDatabase(service, (db) => db.collection('reviews').findOne({ accountId }));
    expect(stored?.['salts']).toBeUndefined();
  });

  test('a review that is sent twice, or whose form is loaded again, gives the same receipt', async () => {
    const { browser } = await enter();
    await browser.send(write('review'), REVIEW);
    const page = await browser.get(`${write('review')}&step=preview`);
    const version = /name="version" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const token = /name="form-token" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const fields = { do: 'send', agree: 'yes', version, 'form-token': token };
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(write('review'), fields)));
    const later = await browser.post(write('review'), fields);
    const receipts = [...answers, later].map(({ status, location }) => [status, location]);
    expect(receipts).toEqual(receipts.map(() => [303, expect.stringContaining('/mine/reviews/')]));
    expect(new Set(receipts.map(String)).size).toBe(1);
  });

  test('a review that was changed in another window is shown again, and not sent as it was', async () => {
    const { browser } = await enter();
    await browser.send(write('review'), REVIEW);
    const old = await browser.get(`${write('review')}&step=preview`);
    const [version = '', token = ''] = ['version', 'form-token'].map(
      (name) => new RegExp(`name="${name}" value="([^"]+)"`).exec(old.html)?.[1],
    );
    await browser.send(write('review'), { ...REVIEW, title: 'Slow to pay out' });
    const answer = await browser.post(write('review'), { do: 'send', agree: 'yes', version, 'form-token': token });
    expect(answer.status).toBe(409);
    expect(answer.html).toContain('This text was changed, sent or deleted');
    expect(answer.html).toContain('Slow to pay out');
    expect((await browser.get('/mine')).html).toContain('You have written no review');
  });

  test.each([
    [{}, ['rating', 'title', 'content', 'language']],
    [{ ...REVIEW, rating: '6' }, ['rating']],
    [{ ...REVIEW, title: 'x' }, ['title']],
    [{ ...REVIEW, content: 'x'.repeat(5001) }, ['content']],
    [{ ...REVIEW, language: 'English' }, ['language']],
  ])('a review with %o is refused at the fields %s, and keeps what was typed', async (fields, faults) => {
    const { browser } = await enter();
    const answer = await browser.send(write('review'), { do: 'preview', ...fields });
    expect([answer.status, new Set(readFaults(answer.html))]).toEqual([422, new Set(faults)]);
    const typed = 'content' in fields ? fields.content : '';
    expect((await browser.get(write('review'))).html).toContain(`\n${typed}</textarea>`);
  });

  test('a field of a review stays text, whatever is typed', async () => {
    const { browser } = await enter();
    const fields = { rating: XSS, title: XSS, content: `${XSS} ${CONTENT}`, language: XSS };
    const refused = await browser.send(write('review'), { ...fields, do: 'preview' });
    expect(refused.status).toBe(422);
    const preview = await sendAndFollow(browser, write('review'), { ...REVIEW, title: XSS, content: fields.content });
    const pages = [refused, preview, await browser.get(write('review'))];
    const receipt = await sendText(browser, 'review', 'beta-trade');
    pages.push(
      await browser.get(receipt),
      await browser.get('/mine'),
      await browser.get(write('review', 'beta-trade')),
    );
    for (const { html } of pages) {
      expect(html).not.toContain('<script>');
      expect(html).not.toContain('<img');
      expect(html).not.toContain('<b>Trade');
    }
  });

  test('the text of a person who was signed out is shown again, and is saved once they have signed in', async () => {
    const { browser, subject } = await enter();
    const page = await browser.get(write('review'));
    const token = /name="form-token" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    await browser.send('/mine', {}, '/sign-out');
    const answer = await browser.post(write('review'), { ...REVIEW, 'form-token': token });
    expect(answer.status).toBe(403);
    expect(answer.html).toContain('You were signed out while you wrote');
    expect(answer.html).toContain(`\n${CONTENT}</textarea>`);
    const text = 'Both payments were mine.';
    const appeal = await browser.post(`/mine/reviews/${'0'.repeat(24)}`, { do: 'appeal', text, 'form-token': token });
    expect([appeal.status, appeal.html.includes(`\n${text}</textarea>`)]).toEqual([403, true]);
    const again = await signIn(service, subject);
    const shown = await again.post(write('review'), { ...REVIEW, 'form-token': token });
    expect([shown.status, shown.html]).toEqual([403, expect.stringContaining('You have signed in since')]);
    expect((await again.get('/mine')).html).not.toContain(write('review'));
    const foreign = await again.post(write('review'), REVIEW, { Origin: 'https://elsewhere.example' });
    expect(foreign.html, 'another site learns nothing').not.toContain(CONTENT);
    const preview = await sendAndFollow(again, write('review'), REVIEW);
    expect(preview.html).toContain(CONTENT);
  });

  test('a text of 8000 characters that are long in a form is kept, so that it can be shortened', async () => {
    const { browser } = await enter();
    const content = '金'.repeat(8000);
    const answer = await browser.send(write('review'), { ...REVIEW, content });
    expect([answer.status, readFaults(answer.html)]).toEqual([422, ['content']]);
    expect((await browser.get(write('review'))).html).toContain(`\n${content}</textarea>`);
  });

  test('a text beyond the number that a person may keep is refused, and none of the others is lost', async () => {
    const { browser, subject } = await enter();
    await browser.send(write('review', 'beta-trade'), { ...REVIEW, do: 'save' });
    await inDatabase(service, async (db) => {
      const drafts = db.collection<{ _id: string }>('drafts');
      const accountId = await findAccountId(subject);
      const one = await drafts.findOne({ accountId });
      for (let at = 1; one && at < 20; at++) await drafts.insertOne({ ...one, _id: `${accountId} ${at}` });
    });
    const refused = await browser.send(write('review'), { ...REVIEW, do: 'save' });
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('You have 20 texts')]);
    expect(refused.html).toContain(`\n${CONTENT}</textarea>`);
    expect(await countStored('drafts', { accountId: await findAccountId(subject) })).toBe(20);
  });

  test('a draft about a broker that was merged goes on with its successor, and one about a lost broker harms no page', async () => {
    const { browser, subject } = await enter();
    await importRows(service, 'brokers', [brokerRow('old-fx', { name: 'Old FX' })]);
    await browser.send(write('review', 'old-fx'), { ...REVIEW, do: 'save' });
    succeeded(await service.cli('broker', 'merge', 'old-fx', '--into', 'alpha-markets'));
    await service.settle();
    expect((await browser.get(write('review'))).html).toContain(`\n${CONTENT}</textarea>`);
    const receipt = await sendText(browser, 'review');
    expect(receipt).toContain('/mine/reviews/');
    await browser.send(write('review', 'beta-trade'), { ...REVIEW, do: 'save' });
    const accountId = await findAccountId(subject);
    expect(await countStored('drafts', { accountId })).toBe(1);
    await inDatabase(service, (db) =>
      db.collection('drafts').updateOne({ accountId }, { $set: { broker: 'lost-fx' } }),
    );
    expect((await browser.get('/mine')).status).toBe(200);
  });

  test('the draft of a review survives a reload and a new sign-in, and goes when it is deleted', async () => {
    const { browser, subject } = await enter();
    const saved = await sendAndFollow(browser, write('review'), { title: 'Half a title', content: '', do: 'save' });
    expect(saved.html).toContain('Your text is saved. We keep it until');
    expect(saved.html).toContain('value="Half a title"');
    await browser.send('/mine', {}, '/sign-out');
    const again = await signIn(service, subject);
    expect((await again.get('/mine')).html).toContain(`href="${write('review')}"`);
    expect((await again.get(write('review'))).html).toContain('value="Half a title"');
    const deleted = await again.send(write('review'), { do: 'discard' });
    expect([deleted.status, deleted.location]).toEqual([303, '/mine']);
    expect((await again.get(write('review'))).html).not.toContain('Half a title');
  });

  test('the draft of a review is deleted by a job after 30 days', async () => {
    const { browser } = await enter();
    await browser.send(write('review'), { title: 'Old', do: 'save' });
    const inDays = (days: number) => service.cliWith({ CLOCK: `+${days}d` }, 'admin', 'job', 'run', 'draft-cleanup');
    succeeded(await inDays(29));
    expect((await browser.get(write('review'))).html).toContain('value="Old"');
    succeeded(await inDays(31));
    expect((await browser.get(write('review'))).html).not.toContain('value="Old"');
  });

  test('the review of a person who is not verified is kept, and the page says what to do', async () => {
    const { browser, subject } = await enter('none');
    const preview = await sendAndFollow(browser, write('review'), REVIEW);
    expect(preview.html).toContain('Your identity is not verified yet');
    expect(preview.html).not.toContain('name="agree"');
    succeeded(await service.cli('account', 'kyc', subject, 'verified'));
    await sendText(browser, 'review');
  });

  test('a second review of a broker, or one of a broker that has ended, is refused in plain words', async () => {
    const { browser } = await enter();
    await sendText(browser, 'review');
    expect((await browser.get(write('review'))).html).toContain('You already have a review of this broker');
    expect((await browser.get(write('review', 'gone-fx'))).html).toContain('takes no reviews or complaints any more');
    expect((await browser.get(write('review', 'no-such-broker'))).status).toBe(404);
  });

  test('a review is withdrawn by its author, who says so twice', async () => {
    const { browser } = await enter();
    const receipt = await sendText(browser, 'review');
    const first = await browser.send(receipt, { do: 'withdraw' });
    expect([first.status, readFaults(first.html)]).toEqual([422, ['agree']]);
    const page = await sendAndFollow(browser, receipt, { do: 'withdraw', agree: 'yes' });
    expect(page.html).toContain('Withdrawn by you');
    await sendText(browser, 'review');
  });

  test('a review that was rejected shows its statement of reasons, and takes one appeal', async () => {
    const { browser } = await enter();
    const receipt = await sendText(browser, 'review');
    const id = receipt.split('/').at(-1) as string;
    succeeded(await service.cli('review', 'reject', id, '--reason', 'off_topic'));
    const page = await browser.get(receipt);
    expect(page.html).toContain('<h2>Statement of reasons</h2>');
    expect(page.html).toContain('It is about something else');
    for (const part of ['Where it applies', 'How long it applies', 'How we learned of it'])
      expect(page.html, 'the fields of the law').toContain(part);
    await untilAllSigned(service);
    const file = await browser.get(`${receipt}?file=statement`);
    expect(file.headers.get('Content-Disposition')).toBe(`attachment; filename="statement-${id}.json"`);
    const trust = { policy: createPolicy(log.key) };
    const { statement } = await verifyStatement(file.html, trust);
    expect(statement).toMatchObject({ reasonCode: 'off_topic', automatedMeans: false });
    const other = file.html.replace('"off_topic"', '"insult"');
    await expect(verifyStatement(other, trust)).rejects.toMatchObject({ code: 'not_as_proven' });
    const saved = await log.scratch.write('statement.json', file.html);
    const command = ['verify', saved, '--key', log.key.verifierKey];
    expect(succeeded(await runCli(command, {}, 60_000, CLIENT))).toMatch(/decision +reject/);
    const short = await browser.send(receipt, { text: 'no' });
    expect([short.status, readFaults(short.html)]).toEqual([422, ['text']]);
    const appealed = await sendAndFollow(browser, receipt, { text: 'It is about this broker, as its title says.' });
    expect(appealed.html).toContain('It waits for a decision');
    expect(appealed.html).not.toContain('<textarea');
    expect((await browser.get(`${receipt}?sent=yes`)).html).not.toContain('We have received your review');
    const { browser: stranger } = await enter();
    expect((await stranger.get(receipt)).status, 'nobody else sees it').toBe(404);
    expect((await stranger.get(`${receipt}/proof`)).status).toBe(404);
    expect((await stranger.get(`${receipt}?file=statement`)).status).toBe(404);
  });
});

describe('a complaint', () => {
  test('a complaint is sent without a verified identity, and shows whose turn it is and until when', async () => {
    const { browser, subject } = await enter('none');
    const details = { amount: '1250,5', currency: 'eur', occurred: '2026-01-02', resolution: 'My balance' };
    const preview = await sendAndFollow(browser, write('complaint'), { ...COMPLAINT, ...details });
    expect(preview.html).toMatch(/EUR\s1,250\.50/);
    const sent = await browser.send(`${write('complaint')}&step=preview`, { agree: 'yes' });
    const receipt = (sent.location ?? '').replace('?sent=yes', '');
    const reference = receipt.split('/').at(-1) as string;
    expect((await browser.get(receipt)).html).toMatch(/EUR\s1,250\.50/);
    for (const step of ['screen', 'forward']) succeeded(await service.cli('complaint', step, reference));
    expect((await browser.get(receipt)).html).toContain('An answer is in time until');
    const later = await startService({ ...service.data, CLOCK: '+16d' });
    try {
      const page = await (await signIn(later, subject, { ageMs: -16 * DAY_MS })).get(receipt);
      expect(page.html).toContain('The broker is late: an answer was due until');
      expect(page.html).toContain('Without an answer it ends as not resolved on');
    } finally {
      await later.close();
    }
  });

  test('a complaint beyond the budget of a day is kept, and the page says when the next one is possible', async () => {
    const { subject } = await enter();
    const strict = await startService({ ...service.data, COMPLAINTS_PER_DAY: '1' });
    try {
      const browser = await signIn(strict, subject);
      await sendText(browser, 'complaint');
      await browser.send(write('complaint', 'beta-trade'), COMPLAINT);
      const refused = await browser.send(`${write('complaint', 'beta-trade')}&step=preview`, { agree: 'yes' });
      expect(refused.status).toBe(429);
      expect(refused.html).toMatch(/The next one is possible from \d+ \w+ \d{4}/);
      expect(refused.html).toContain(COMPLAINT.content);
    } finally {
      await strict.close();
    }
  });

  test('the draft of a complaint is in its session alone, and gone when that ends', async () => {
    const { browser, subject } = await enter();
    await browser.send(write('complaint'), { ...COMPLAINT, do: 'save' });
    expect((await browser.get(write('complaint'))).html).toContain(COMPLAINT.content);
    const elsewhere = await signIn(service, subject);
    expect((await elsewhere.get(write('complaint'))).html).not.toContain(COMPLAINT.content);
    const accountId = await findAccountId(subject);
    expect(await countStored('drafts', { accountId })).toBe(1);
    await browser.send('/mine', {}, '/sign-out');
    expect(await countStored('drafts', { accountId })).toBe(0);
    const back = await signIn(service, subject);
    expect((await back.get(write('complaint'))).html).not.toContain(COMPLAINT.content);
  });

  test.each([
    [{}, ['category', 'title', 'content', 'consent']],
    [{ ...COMPLAINT, amount: XSS }, ['amount', 'currency']],
    [{ ...COMPLAINT, amount: '5', currency: XSS }, ['currency']],
    [{ ...COMPLAINT, occurred: XSS, resolution: '<' }, ['occurred', 'resolution']],
    [{ ...COMPLAINT, category: XSS, consent: XSS }, ['category', 'consent']],
  ])('a complaint with %o is refused at the fields %s', async (fields, faults) => {
    const { browser } = await enter();
    const answer = await browser.send(write('complaint'), { do: 'preview', ...fields });
    expect([answer.status, new Set(readFaults(answer.html))]).toEqual([422, new Set(faults)]);
    expect(answer.html).not.toContain('<script>');
  });
});

describe('the data of a person', () => {
  test('the data of a person is a file with the drafts and the sessions too', async () => {
    const { browser, subject } = await enter();
    await browser.send(write('review'), { title: 'A draft', do: 'save' });
    const file = await browser.send('/mine/export');
    expect(file.headers.get('Content-Type')).toContain('application/json');
    const data = JSON.parse(file.html);
    expect(data).toMatchObject({ subject, drafts: [{ fields: { title: 'A draft' } }], sessions: [{}] });
    expect(file.html).not.toContain([...browser.cookies.values()][0]);
  });

  test('an erasure that was interrupted is finished by the service', async () => {
    const { browser, subject } = await enter();
    await sendText(browser, 'review');
    const accountId = (await findAccountId(subject)) ?? '';
    const erasure = { subjectHash: 'x', reason: 'requested', erasedAt: new Date(Date.now() - 120_000) };
    await inDatabase(service, (db) =>
      db.collection<{ _id: string }>('erasures').insertOne({ _id: accountId, ...erasure }),
    );
    await service.settle();
    expect(await countStored('reviews', { accountId })).toBe(0);
    expect(await countStored('erasures', { subjectHash: 'x', finishedAt: { $exists: true } })).toBe(1);
  });

  test('the data of a person is deleted once a word was typed, and leaves nothing in sessions and drafts', async () => {
    const { browser, subject } = await enter();
    const receipt = await sendText(browser, 'review');
    await sendText(browser, 'complaint');
    await browser.send(write('review', 'beta-trade'), { ...REVIEW, do: 'save' });
    await browser.send(write('complaint', 'beta-trade'), { ...COMPLAINT, do: 'save' });
    const accountId = await findAccountId(subject);
    expect((await browser.get('/mine/erase')).html).toContain('This stays');
    const wrong = await browser.send('/mine/erase?step=sure', { word: 'yes' });
    expect([wrong.status, readFaults(wrong.html)]).toEqual([422, ['word']]);
    expect((await browser.get(receipt)).status).toBe(200);
    const elsewhere = await signIn(service, subject);
    const erased = await browser.send('/mine/erase?step=sure', { word: 'DELETE' });
    expect([erased.status, erased.location]).toEqual([303, '/mine/erased']);
    expect((await browser.get('/mine/erased')).html).toContain('Your data is deleted');
    expect(browser.cookies.size).toBe(0);
    expect((await elsewhere.get('/mine')).status, 'nobody is signed in any more').toBe(303);
    for (const collection of ['sessions', 'drafts', 'reviews', 'complaints', 'idempotentAnswers'])
      expect([collection, await countStored(collection, { accountId })]).toEqual([collection, 0]);
  });
});

test('the page of a person is shown to nobody else, and kept nowhere', async () => {
  const { browser } = await enter();
  const page = await browser.get('/mine');
  expect(page.headers.get('Cache-Control')).toBe('no-store');
  browser.cookies.clear();
  for (const path of ['/mine', '/mine/mail', '/mine/export', '/mine/erase', `/mine/reviews/${'0'.repeat(24)}`]) {
    const { status, location } = await browser.get(path);
    expect([path, status, location]).toEqual([path, 303, expect.stringMatching(/^\/sign-in\?to=/)]);
  }
});

test('a review that came by the API is among what its author wrote', async () => {
  const { browser, subject } = await enter();
  const token = await createToken(service, subject);
  await submit(service, '/reviews', token, buildReview('beta-trade'));
  expect((await browser.get('/mine')).html).toContain('<bdi>Beta &lt;b&gt;Trade&lt;/b&gt;</bdi>');
});

test('a report is shown to its sender with the decision, and takes one appeal', async () => {
  const { browser: author } = await enter();
  const review = (await sendText(author, 'review')).split('/').at(-1) as string;
  succeeded(await service.cli('review', 'publish', review));
  const { browser, subject } = await enter('none');
  const token = await createToken(service, subject, { kyc: 'none' });
  const text = 'It is about another company, as its second sentence shows.';
  const sent = await fetch(`${service.origin}/account/v1/reports`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ reviewId: review, reason: 'off_topic', text }),
  });
  const { id } = (await sent.json()) as { id: string };
  const path = `/mine/reports/${id}`;
  expect((await browser.get('/mine')).html).toContain(`href="${path}"`);
  expect((await browser.get(path)).html).toContain('Waiting for a decision');
  succeeded(await service.cli('report', 'decide', id, 'keep'));
  const decided = await browser.get(path);
  expect(decided.html).toContain('<dt>Decision</dt><dd>The review stays.</dd>');
  const appealed = await sendAndFollow(browser, path, { text: 'The second sentence names the other company.' });
  expect(appealed.html).toContain('It waits for a decision');
  expect((await author.get(path)).status, 'the author of the review does not see it').toBe(404);
});
