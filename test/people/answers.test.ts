import { freePort } from '@broker-transparency/embedded-mongo/port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createToken, getJson, importRows, post, succeeded } from '../support/filled-service.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { untilLogged } from '../support/record.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, listForms, openBrowser, signIn } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

/** Part of what the firm writes that nobody may read before a person has read it. */
const SECRET = 'Quillfeather';
/** A text that is a script where it is not escaped. */
const SCRIPT = `</textarea><script>alert('${SECRET}')</script>`;

let inbox: MailServer;
let service: LocalService;
/** The person who answers for alpha, and one who answers for beta. */
let anna: Browser;
let bert: Browser;
let author: string;

const cli = async (...args: string[]): Promise<string> => succeeded(await service.cli(...args)).trim();
const json = async (...args: string[]) => JSON.parse(await cli(...args, '--json'));
const act = (actor: string, ...args: string[]) => cli(...args, '--actor', actor);

const request = async (slug: string, address: string, place = 'https://register.fca.org.uk/s/firm?id=1') =>
  /rp_[0-9a-f]+/.exec(
    await act('maria', 'representative', 'request', slug, address, '--register', 'fca', '--place', place),
  )?.[0] as string;

/** Lets two operators confirm an address, and returns the code that went there. */
const invite = async (slug: string, address: string): Promise<string> => {
  const id = await request(slug, address);
  await act('olga', 'representative', 'confirm', id);
  const mail = await until('the mail with the code', 20_000, async () => inbox.to(address).at(-1));
  expect(mail.text).toContain('/answer');
  return /the code (\S+) can/.exec(mail.text)?.[1] as string;
};

const publishReview = async (slug: string, subject: string): Promise<string> => {
  const answer = await post(service, '/reviews', await createToken(service, subject), reviewBody(slug));
  const { id } = (await answer.json()) as { id: string };
  await cli('review', 'publish', id);
  return id;
};

const readBroker = async (slug: string) => {
  await service.settle();
  return (await getJson(service, `/brokers/${slug}`)) as {
    readonly disputes?: readonly Record<string, unknown>[];
    readonly recentReviews: readonly { readonly id: string; readonly reply?: { readonly content: string } }[];
  };
};

/** Resolves once a page shows a text. */
const untilShown = (path: string, text: string): Promise<string> =>
  until(`${path} shows ${text}`, 20_000, async () => {
    const { html } = await anna.get(path);
    return html.includes(text) && html;
  });

beforeAll(async () => {
  inbox = await startMailServer();
  const port = await freePort();
  service = await startService({
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    JOBS: 'on',
  });
  await importRows(service, 'brokers', [
    brokerRow('alpha'),
    brokerRow('beta'),
    brokerRow('gamma'),
    brokerRow('false-alpha', { status: 'suspected_clone', licenses: [] }),
  ]);
  author = await createToken(service, 'alice');
  for (const subject of ['anna', 'bert']) await createToken(service, subject, { kyc: 'none' });
  [anna, bert] = await Promise.all([signIn(service, 'anna'), signIn(service, 'bert')]);
});
afterAll(async () => {
  await service?.remove();
  await inbox?.close();
});

describe('who answers for a firm', () => {
  test('an address needs the register, and a second operator', async () => {
    const refused = async (address: string, ...place: string[]) => {
      const args = ['representative', 'request', 'alpha', address, '--actor', 'maria', ...place];
      return (await service.cli(...args)).stderr;
    };
    expect(await refused('office@alpha.example', '--register', 'fca', '--place', '123456')).toContain(
      'domain of the broker',
    );
    expect(await refused('office@alpha.example', '--register', 'xx', '--place', '123456')).toContain('No regulator');
    const elsewhere = ['--register', 'fca', '--place', 'https://alpha.example/licence'];
    expect(await refused('office@alpha.example', ...elsewhere)).toContain('register of this regulator');
    const id = await request('alpha', 'first@alpha.example');
    const same = await service.cli('representative', 'confirm', id, '--actor', 'maria');
    expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('somebody else has to decide')]);
    await act('olga', 'representative', 'end', id);
    expect(inbox.to('first@alpha.example')).toEqual([]);
  });

  test('a code that nobody uses in time ends, with the address it went to', async () => {
    const code = await invite('beta', 'unused@lawyer.example');
    const find = async () =>
      (await json('representative', 'list', '--broker', 'beta')).find(
        ({ place }: { place: string }) => place === 'unused',
      );
    await inDatabase(service, (db) =>
      db
        .collection('representatives')
        .updateOne({ address: 'unused@lawyer.example' }, { $set: { codeEndsAt: new Date(0), place: 'unused' } }),
    );
    expect((await anna.send('/answer', { code })).status).toBe(422);
    await cli('admin', 'job', 'run', 'representative-codes');
    expect(await find()).toMatchObject({ status: 'ended', ending: 'code_unused' });
    expect(JSON.stringify(await find())).not.toContain('unused@lawyer.example');
    const left = await inDatabase(service, (db) => db.collection('noticeAddresses').find().toArray());
    expect(JSON.stringify(left)).not.toContain('unused@lawyer.example');
  });

  test('a code works once, for a person who is signed in', async () => {
    const nobody = openBrowser(service);
    expect((await nobody.get('/answer')).location).toBe('/sign-in?to=%2Fanswer');
    const code = await invite('alpha', 'office@alpha.example');
    expect((await anna.send('/answer', { code: 'AAAAA-AAAAA' })).status).toBe(422);
    expect(await anna.send('/answer', { code: code.toLowerCase() })).toMatchObject({
      status: 303,
      location: '/answer/alpha',
    });
    expect((await bert.send('/answer', { code })).status).toBe(422);
    expect((await anna.get('/answer')).html).toContain('href="/answer/alpha"');
    expect((await bert.send('/answer', { code: await invite('beta', 'office@beta.example') })).location).toBe(
      '/answer/beta',
    );
    const rows = await json('representative', 'list', '--status', 'active');
    expect(rows.map(({ broker }: { broker: string }) => broker)).toEqual(['alpha', 'beta']);
  });

  test('nobody acts for a firm that they do not answer for, whatever a form says', async () => {
    const paths = ['/answer/alpha', '/answer/alpha/complaints/C-2222222222', `/answer/alpha/reviews/${'0'.repeat(24)}`];
    for (const path of paths) expect([path, (await bert.get(path)).status]).toEqual([path, 404]);
    const { html } = await bert.get('/answer/beta');
    const token = /name="form-token" value="([^"]+)"/.exec(html)?.[1] as string;
    const dispute = { 'form-token': token, field: 'name', text: 'This is not the name of our firm.', evidence: '' };
    expect((await bert.post('/brokers/alpha/dispute', dispute)).status).toBe(404);
    expect((await bert.post('/answer/alpha', { 'form-token': token, do: 'resign' })).status).toBe(404);
    expect((await bert.post('/answer/beta', { do: 'resign' })).status).toBe(403);
    expect((await bert.post('/brokers/beta/dispute', dispute, { Origin: 'https://evil.example' })).status).toBe(403);
    const page = await openBrowser(service).get('/brokers/alpha/dispute');
    expect([page.status, page.html.includes('<textarea')]).toEqual([200, false]);
    expect((await readBroker('alpha')).disputes).toBeUndefined();
  });
});

describe('a complaint', () => {
  test('a complaint is answered by the firm that it was sent to, once', async () => {
    const sent = await post(
      service,
      '/complaints',
      author,
      complaintBody('alpha', { title: `A ${SCRIPT}`, consentToForward: true }),
    );
    const { reference } = (await sent.json()) as { reference: string };
    const path = `/answer/alpha/complaints/${reference}`;
    expect((await anna.get(path)).status).toBe(404);
    await cli('complaint', 'screen', reference);
    await cli('complaint', 'forward', reference);
    const page = await anna.get(path);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('<script>alert');
    expect(page.html).not.toContain('alice@');
    expect((await bert.get(path.replace('alpha', 'beta'))).status).toBe(404);
    expect((await anna.send(path, { answer: ' ' })).status).toBe(422);
    const ended = openBrowser(service);
    const kept = await ended.post(path, { ...listForms(page.html).at(-1)?.hidden, answer: `Typed ${SCRIPT}` });
    expect([kept.status, kept.html.includes('<script>alert')]).toEqual([403, false]);
    expect(kept.html).toContain('Typed &lt;/textarea&gt;');
    expect((await ended.post(path, { answer: '' })).location).toBe(`/sign-in?to=${encodeURIComponent(path)}`);
    const foreign = await ended.post(path, { answer: 'Typed' }, { Origin: 'https://evil.example' });
    expect([foreign.status, foreign.html]).toEqual([303, '']);
    expect(await json('complaint', 'show', reference)).toMatchObject({ status: 'forwarded' });
    expect(await anna.send(path, { answer: 'We paid it\r\nyesterday.' })).toMatchObject({
      status: 303,
      location: path,
    });
    const shown = await json('complaint', 'show', reference);
    expect(shown).toMatchObject({ status: 'responded', timely: true, answer: 'We paid it\nyesterday.' });
    const { html } = await anna.get(path);
    expect([html.includes('<textarea'), html.includes('We paid it')]).toEqual([false, true]);
  });
});

describe('a firm with very many cases', () => {
  test('a firm answers each complaint by its reference, and its list shows the newest answers', async () => {
    const subject = await createToken(service, 'paula');
    const sent = await post(service, '/complaints', subject, complaintBody('alpha', { consentToForward: true }));
    const { reference } = (await sent.json()) as { reference: string };
    await cli('complaint', 'screen', reference);
    await cli('complaint', 'forward', reference);
    const path = `/answer/alpha/complaints/${reference}`;
    const made = { _id: /^C-MADE/ } as object;
    await inDatabase(service, async (db) => {
      const complaint = await db.collection<{ _id: string }>('complaints').findOne({ _id: reference });
      const forwardedAt = new Date(Date.now() - 3_600_000);
      const rows = Array.from({ length: 200 }, (_, at) => ({ ...complaint, _id: `C-MADE${at}`, forwardedAt }));
      await db.collection<{ _id: string }>('complaints').insertMany(rows);
    });
    const first = await anna.get('/answer/alpha');
    expect([first.html.includes('C-MADE'), first.html.includes(reference)]).toEqual([true, false]);
    expect((await anna.send(path, { answer: 'We paid it.' })).location).toBe(path);
    await inDatabase(service, (db) =>
      db.collection('complaints').updateMany(made, { $set: { status: 'responded', respondedAt: new Date() } }),
    );
    expect((await anna.get('/answer/alpha')).html).toContain(path);
    await inDatabase(service, (db) => db.collection('complaints').deleteMany(made));
  });
});

describe('a reply to a review', () => {
  test('a reply is public once an operator has read it, and can be taken back', async () => {
    const id = await publishReview('alpha', 'carol');
    const path = `/answer/alpha/reviews/${id}`;
    expect((await anna.get('/answer/alpha')).html).toContain(path);
    expect((await anna.send(path, { reply: `Thank you. ${SCRIPT}` })).status).toBe(303);
    expect((await anna.send(path, { reply: 'A second one.' })).status).toBe(422);
    const everywhere = async () => {
      await service.settle();
      return `${JSON.stringify(await readBroker('alpha'))}${(await anna.get('/brokers/alpha/reviews')).html}${(await anna.get('/brokers/alpha')).html}`;
    };
    expect(await everywhere()).not.toContain(SECRET);
    const [waiting] = await json('reply', 'list');
    await cli('reply', 'publish', waiting.id);
    const published = await readBroker('alpha');
    expect(published.recentReviews[0]?.reply?.content).toContain(SECRET);
    expect(await untilShown('/brokers/alpha/reviews', '&lt;script&gt;')).not.toContain('<script>alert');
    expect((await anna.get(path)).status).toBe(404);
    const own = /name="id" value="(re_[0-9a-f]+)"/.exec((await anna.get('/answer/alpha')).html)?.[1] as string;
    const token = /name="form-token" value="([^"]+)"/.exec((await bert.get('/answer/beta')).html)?.[1] as string;
    const forged = { 'form-token': token, do: 'withdraw-reply', id: own };
    expect((await bert.post('/answer/beta', forged)).status).toBe(404);
    expect((await anna.send('/answer/alpha', { do: 'withdraw-reply', id: own })).status).toBe(303);
    await until('the reply is gone', 20_000, async () => !(await everywhere()).includes(SECRET));
    expect((await anna.send(path, { reply: 'A better one.' })).status).toBe(303);
    const [again] = await json('reply', 'list');
    await cli('reply', 'decline', again.id, '--reason', 'personal_data');
    expect((await anna.get('/answer/alpha')).html).toContain('was not published (it names');
  });

  test('a reply is not public any more once an operator replaces it, and is not taken back twice', async () => {
    const id = await publishReview('alpha', 'hugo');
    expect((await anna.send(`/answer/alpha/reviews/${id}`, { reply: 'Dear Hugo.' })).status).toBe(303);
    const [waiting] = await json('reply', 'list');
    await cli('reply', 'publish', waiting.id);
    await cli('review', 'reply', id, '--content', 'Dear Hugo, we have paid.');
    const [withdrawn] = (await json('reply', 'list', '--status', 'withdrawn')).slice(-1);
    expect(withdrawn.id).toBe(waiting.id);
    expect((await anna.get('/answer/alpha')).html).not.toContain('is public');
    expect((await anna.send('/answer/alpha', { do: 'withdraw-reply', id: waiting.id })).status).toBe(409);
    const findReply = async () => (await readBroker('alpha')).recentReviews.find((one) => one.id === id)?.reply;
    expect((await findReply())?.content).toBe('Dear Hugo, we have paid.');
    await cli('review', 'reply', id, '--remove');
    expect(await findReply()).toBeUndefined();
  });

  test('a reply is declined as without occasion only if its occasion is gone', async () => {
    const id = await publishReview('alpha', 'ivo');
    expect((await anna.send(`/answer/alpha/reviews/${id}`, { reply: 'Dear Ivo.' })).status).toBe(303);
    const [waiting] = await json('reply', 'list');
    const decline = ['reply', 'decline', waiting.id, '--reason', 'occasion_gone'];
    const early = await service.cli(...decline);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('can still become public')]);
    await cli('review', 'reply', id, '--content', 'Dear Ivo, we have paid.');
    const late = await service.cli('reply', 'publish', waiting.id);
    expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('Decline it as occasion_gone')]);
    await cli(...decline);
    expect((await anna.get('/answer/alpha')).html).toContain('the review can no longer have it');
    await cli('review', 'reply', id, '--remove');
  });

  test('a suspected clone cannot reply, and disputes its status instead', async () => {
    const id = await publishReview('false-alpha', 'dora');
    expect((await anna.send('/answer', { code: await invite('false-alpha', 'office@lawyer.example') })).status).toBe(
      303,
    );
    expect((await anna.get('/answer/false-alpha')).html).toContain('cannot reply in public');
    const path = `/answer/false-alpha/reviews/${id}`;
    expect((await anna.get(path)).html).not.toContain('<textarea');
    const token = /name="form-token" value="([^"]+)"/.exec((await anna.get('/answer')).html)?.[1] as string;
    expect((await anna.post(path, { 'form-token': token, reply: 'We are no clone.' })).status).toBe(422);
    expect(await json('reply', 'list')).toEqual([]);
    const text = 'We are the firm in the register, see the link.';
    const sent = await anna.send('/brokers/false-alpha/dispute', { field: 'status', text });
    expect(sent).toMatchObject({ status: 303, location: '/answer/false-alpha#disputes' });
    expect((await readBroker('false-alpha')).disputes).toMatchObject([{ field: 'status', status: 'open' }]);
    await untilShown('/brokers/false-alpha', 'The firm disputes its status');
  });
});

describe('a firm that is suspected later to be a clone', () => {
  test('its published reply is hidden, no command publishes another one, and its contact reads no complaint', async () => {
    expect((await anna.send('/answer', { code: await invite('gamma', 'gamma@lawyer.example') })).status).toBe(303);
    const id = await publishReview('gamma', 'gina');
    expect((await anna.send(`/answer/gamma/reviews/${id}`, { reply: 'We are the real gamma.' })).status).toBe(303);
    await cli('reply', 'publish', (await json('reply', 'list'))[0].id);
    expect((await readBroker('gamma')).recentReviews[0]?.reply?.content).toBe('We are the real gamma.');
    const sent = await post(service, '/complaints', author, complaintBody('gamma', { consentToForward: true }));
    const { reference } = (await sent.json()) as { reference: string };
    await cli('complaint', 'screen', reference);
    await cli('complaint', 'forward', reference);
    const path = `/answer/gamma/complaints/${reference}`;
    expect((await anna.get(path)).status).toBe(200);
    await importRows(service, 'brokers', [{ slug: 'gamma', status: 'suspected_clone', licenses: [] }]);
    expect((await readBroker('gamma')).recentReviews).toMatchObject([{ id }]);
    const listed = (await getJson(service, '/reviews?broker=gamma')) as { readonly data: readonly object[] };
    expect(JSON.stringify([await readBroker('gamma'), listed])).not.toContain('the real gamma');
    expect((await anna.get(path)).status).toBe(404);
    const token = /name="form-token" value="([^"]+)"/.exec((await anna.get('/answer')).html)?.[1] as string;
    expect((await anna.post(path, { 'form-token': token, answer: 'We are no clone.' })).status).toBe(404);
    expect(await json('complaint', 'show', reference)).toMatchObject({ status: 'forwarded' });
    const again = await service.cli('review', 'reply', id, '--content', 'We are no clone.');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('does not reply in public')]);
  });

  test('its contact does not answer for the firm that it is merged into', async () => {
    expect((await anna.get('/answer/gamma')).status).toBe(200);
    await act('maria', 'broker', 'merge', 'gamma', '--into', 'beta');
    expect((await anna.get('/answer/beta')).status).toBe(404);
    expect((await anna.get('/answer')).html).not.toContain('/answer/beta');
    const dispute = { field: 'name', text: 'This is not the name of our firm.' };
    const token = /name="form-token" value="([^"]+)"/.exec((await anna.get('/answer')).html)?.[1] as string;
    expect((await anna.post('/brokers/beta/dispute', { 'form-token': token, ...dispute })).status).toBe(404);
  });
});

describe('a dispute of a fact', () => {
  const TEXT = `Our licence is active. ${SCRIPT}`;
  let reference: string;

  test('a dispute is public with its fact and its clock at once, and its text only once an operator shows it', async () => {
    const bad = await anna.send('/brokers/alpha/dispute', {
      field: 'score',
      text: SCRIPT.slice(0, 10),
      evidence: 'javascript:alert(1)',
    });
    expect(bad.status).toBe(422);
    for (const id of ['field', 'text', 'evidence']) expect(bad.html).toContain(`id="${id}-fault" role="alert"`);
    const evidence = 'https://register.fca.org.uk/1\r\nhttps://register.fca.org.uk/2';
    expect((await anna.send('/brokers/alpha/dispute', { field: 'licenses', text: TEXT, evidence })).status).toBe(303);
    const twice = await anna.send('/brokers/alpha/dispute', { field: 'licenses', text: TEXT });
    expect([twice.status, twice.html.includes('<script>alert')]).toEqual([422, false]);
    const { disputes = [] } = await readBroker('alpha');
    expect(disputes).toEqual([
      {
        reference: expect.stringMatching(/^D-[2-9A-Z]{10}$/),
        field: 'licenses',
        status: 'open',
        since: expect.any(String),
        dueAt: expect.any(String),
      },
    ]);
    reference = String(disputes[0]?.['reference']);
    const days = Date.parse(String(disputes[0]?.['dueAt'])) - Date.parse(String(disputes[0]?.['since']));
    expect(days / 86_400_000).toBe(14);
    const hidden = await untilShown('/brokers/alpha', 'The firm disputes its licences');
    expect(hidden).toMatch(/id="licences">\s*<h2>[^<]*<\/h2>\s*<ul class="disputes">/);
    expect(hidden).not.toContain(SECRET);
    expect((await anna.get('/answer/alpha')).html).toContain('&lt;script&gt;');
    expect(await json('dispute', 'show', reference)).toMatchObject({ text: TEXT, evidence: evidence.split('\r\n') });
    await cli('dispute', 'text', reference, 'show');
    expect((await readBroker('alpha')).disputes).toMatchObject([{ text: TEXT }]);
    expect(await untilShown('/brokers/alpha', SECRET)).not.toContain('<script>alert');
    await untilShown('/de/brokers/alpha', 'Die Firma bestreitet ihre Lizenzen');
    await cli('dispute', 'text', reference, 'hide');
    expect(JSON.stringify(await readBroker('alpha'))).not.toContain(SECRET);
  });

  test('a dispute is upheld only by a statement that changed the fact since, and then names it', async () => {
    const early = await service.cli(
      'dispute',
      'decide',
      reference,
      'uphold',
      '--change',
      'corrected',
      '--statement',
      '1',
    );
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('older than dispute')]);
    const without = await service.cli('dispute', 'decide', reference, 'uphold', '--change', 'corrected');
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('Change the fact first')]);
    await importRows(service, 'brokers', [{ slug: 'alpha', licenses: [] }]);
    const rows: { version: number }[] = await json('fact', 'history', 'broker', 'alpha');
    const statement = Math.max(...rows.map(({ version }) => version));
    await cli('dispute', 'decide', reference, 'uphold', '--change', 'removed', '--statement', String(statement));
    expect((await readBroker('alpha')).disputes).toMatchObject([
      { status: 'upheld', change: 'removed', statement, decidedAt: expect.any(String) },
    ]);
    expect((await service.cli('dispute', 'decide', reference, 'reject', '--note', 'It stays.')).stderr).toContain(
      'is upheld, which is final',
    );
    await untilShown('/brokers/alpha', `It was removed: statement ${statement} about this firm`);
    await untilShown('/corrections', 'and that we changed</th><td class="number">1</td>');
  });

  test('a dispute is in the record and the history of the firm, without its text', async () => {
    await inDatabase(service, untilLogged);
    const history = await fetch(`${service.origin}/transparency/v1/brokers/alpha/history`);
    expect(await history.text()).toContain(`dispute/${reference}`);
    const entries = await inDatabase(service, (db) =>
      db
        .collection('recordEntries')
        .find({ key: `dispute/${reference}` })
        .sort({ number: 1 })
        .toArray(),
    );
    expect(entries.map(({ value }) => JSON.parse(value).status)).toEqual(['open', 'upheld']);
    expect(JSON.stringify(entries)).not.toContain(SECRET);
    await untilShown('/brokers/alpha/history', `A fact that the firm disputes <bdi>${reference}</bdi>`);
  });

  test('a dispute is taken back by the firm, and by nobody else', async () => {
    expect(
      (await anna.send('/brokers/alpha/dispute', { field: 'name', text: 'We are called Alpha Markets now.' })).status,
    ).toBe(303);
    const [open] = await json('dispute', 'list', '--status', 'open', '--broker', 'alpha');
    expect((await service.cli('dispute', 'decide', open.reference, 'reject')).stderr).toContain('--note');
    const token = /name="form-token" value="([^"]+)"/.exec((await bert.get('/answer/beta')).html)?.[1] as string;
    const forged = {
      'form-token': token,
      do: 'withdraw-dispute',
      reference: open.reference,
      [`agree-${open.reference}`]: 'yes',
    };
    expect((await bert.post('/answer/beta', forged)).status).toBe(404);
    const agreed = { do: 'withdraw-dispute', reference: open.reference, [`agree-${open.reference}`]: 'yes' };
    expect((await anna.send('/answer/alpha', agreed)).status).toBe(303);
    expect((await readBroker('alpha')).disputes?.map(({ status }) => status)).toEqual(['withdrawn', 'upheld']);
    const shown = await json('dispute', 'show', open.reference);
    expect([shown.status, shown.textState]).toEqual(['withdrawn', 'hidden']);
    expect((await service.cli('dispute', 'text', open.reference, 'show')).code).toBe(1);
    await untilShown('/brokers/alpha', 'and took that back on');
  });

  test('a report of somebody who is signed in is theirs, and is one however often it is sent', async () => {
    const path = `/reviews/${await publishReview('beta', 'carol')}/report`;
    const { html } = await anna.get(path);
    expect(html).not.toContain('name="mail"');
    const token = /name="form-token" value="([^"]+)"/.exec(html)?.[1] as string;
    const report = { 'form-token': token, reason: 'insult', text: 'It calls me a thief.', faith: 'yes' };
    const [first, again] = [await anna.post(path, report), await anna.post(path, report)];
    expect(first.location).toMatch(/^\/mine\/reports\/[0-9a-f]{24}$/);
    expect(again.location).toBe(first.location);
    expect((await anna.get(String(first.location))).status).toBe(200);
  });

  test('a second report of the same review is not taken: its form keeps the words and leads to the first one', async () => {
    const path = `/reviews/${await publishReview('beta', 'erika')}/report`;
    const first = await anna.send(path, { reason: 'insult', text: 'It calls me a thief.', faith: 'yes' });
    const second = { reason: 'advertising', text: 'The last sentence advertises a product.', faith: 'yes' };
    const { status, html } = await anna.send(path, second);
    expect([status, first.location]).toEqual([409, expect.stringMatching(/^\/mine\/reports\/[0-9a-f]{24}$/)]);
    for (const part of [second.text, 'value="advertising" checked', `href="${first.location}"`])
      expect(html).toContain(part);
    expect((await anna.get(String(first.location))).html).toContain('It insults or threatens');
  });

  test('a firm opens 20 disputes in 30 days at most, also if it takes them back', async () => {
    const counted = { broker: 'alpha', status: 'withdrawn', textState: 'hidden', representative: 'rp_x' };
    const kept = await inDatabase(service, (db) => db.collection('disputes').countDocuments({ broker: 'alpha' }));
    const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);
    const rows = Array.from({ length: 20 - kept }, (_, at) => ({
      ...{ _id: `D-COUNTED${at}`, ...counted, field: 'name', evidence: [] },
      ...{ createdAt: days(29), decidedAt: days(28) },
    }));
    const counting = { _id: /^D-COUNTED/ } as object;
    await inDatabase(service, (db) => db.collection<{ _id: string }>('disputes').insertMany(rows));
    const given = { field: 'website', text: 'Our website has another address now.' };
    const refused = await anna.send('/brokers/alpha/dispute', given);
    expect(refused.status).toBe(422);
    await inDatabase(service, (db) =>
      db.collection('disputes').updateMany(counting, { $set: { createdAt: days(31) } }),
    );
    expect((await anna.send('/brokers/alpha/dispute', given)).status).toBe(303);
    await inDatabase(service, (db) => db.collection('disputes').deleteMany(counting));
    const [{ reference: opened }] = await json('dispute', 'list', '--status', 'open', '--broker', 'alpha');
    await inDatabase(service, (db) => db.collection<{ _id: string }>('disputes').deleteOne({ _id: opened }));
  });

  test('a firm sees its open disputes and the newest of the others, however many it had', async () => {
    const listed: { reference: string }[] = await json('dispute', 'list', '--broker', 'alpha');
    const newest = listed.map(({ reference: one }) => one);
    expect(newest).not.toEqual([]);
    const long = new Date(Date.now() - 100 * 86_400_000);
    const ended = { status: 'withdrawn', textState: 'hidden', representative: 'rp_x', evidence: [] };
    const rows = Array.from({ length: 200 }, (_, at) => ({
      ...{ _id: `D-LONG${at}`, broker: 'alpha', field: 'name', createdAt: long, decidedAt: long },
      ...ended,
    }));
    await inDatabase(service, (db) => db.collection<{ _id: string }>('disputes').insertMany(rows));
    const { html } = await anna.get('/answer/alpha');
    for (const one of newest) expect(html).toContain(`id="dispute-${one}"`);
    await inDatabase(service, (db) => db.collection('disputes').deleteMany({ _id: /^D-LONG/ } as object));
  });

  test('a report of an offence against a child names nobody, also if its sender is signed in', async () => {
    const path = `/reviews/${await publishReview('beta', 'dennis')}/report`;
    const text = 'It offers pictures of the abuse of a child.';
    const sent = await anna.send(path, { child: 'yes', text, faith: 'yes' });
    expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/^\/case\/[0-9a-f]{40}$/)]);
    expect((await anna.get(String(sent.location))).html).toContain(text);
    const kept = await inDatabase(service, (db) => db.collection('reports').findOne({ text }));
    expect([kept?.['reasonCode'], kept?.['contact'], kept?.['accountId']]).toEqual(['unlawful', {}, undefined]);
    expect((await anna.get('/mine')).html).not.toContain(String(kept?._id));
  });

  test('the firm reads why a fact stays, and nobody else does', async () => {
    const dispute = { field: 'country', text: 'We have another country now.' };
    expect((await anna.send('/brokers/alpha/dispute', dispute)).status).toBe(303);
    const [{ reference: rejected }] = await json('dispute', 'list', '--status', 'open', '--broker', 'alpha');
    await cli('dispute', 'decide', rejected, 'reject', '--note', 'The register names this country.');
    expect((await anna.get('/answer/alpha')).html).toContain('The register names this country.');
    expect(await untilShown('/brokers/alpha', 'that it stays')).not.toContain('The register names');
    expect(JSON.stringify(await readBroker('alpha'))).not.toContain('The register names');
  });
});

describe('the end', () => {
  test('a representative whose right has ended cannot act any more, and none of their texts becomes public', async () => {
    const review = await publishReview('beta', 'fred');
    expect((await bert.send(`/answer/beta/reviews/${review}`, { reply: 'We are sorry.' })).status).toBe(303);
    const open = { field: 'website', text: 'Our website has another address now.' };
    expect((await bert.send('/brokers/beta/dispute', open)).status).toBe(303);
    const [disputed] = await json('dispute', 'list', '--status', 'open', '--broker', 'beta');
    const [waiting] = await json('reply', 'list');
    const [{ id } = { id: '' }] = await json('representative', 'list', '--broker', 'beta', '--status', 'active');
    const token = /name="form-token" value="([^"]+)"/.exec((await bert.get('/answer/beta')).html)?.[1] as string;
    await act('maria', 'representative', 'end', id);
    expect((await bert.get('/answer/beta')).status).toBe(404);
    const dispute = { 'form-token': token, field: 'name', text: 'This is not the name of our firm.', evidence: '' };
    expect((await bert.post('/brokers/beta/dispute', dispute)).status).toBe(404);
    expect((await bert.get('/answer')).html).toContain('You answer for no firm yet');
    for (const command of [
      ['reply', 'publish', waiting.id],
      ['dispute', 'text', disputed.reference, 'show'],
    ]) {
      const refused = await service.cli(...command);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no longer answers for the firm')]);
    }
    await cli('dispute', 'text', disputed.reference, 'hide');
    await cli('reply', 'decline', waiting.id, '--reason', 'occasion_gone');
  });

  test('an erasure ends it, and leaves the dispute without its text and its author', async () => {
    const id = await publishReview('alpha', 'erik');
    expect((await anna.send(`/answer/alpha/reviews/${id}`, { reply: `Dear ${SECRET}` })).status).toBe(303);
    await cli('reply', 'publish', (await json('reply', 'list'))[0].id);
    const held = await cli('account', 'export', 'anna');
    for (const part of ['representatives', 'disputes', 'reviewReplies', SECRET]) expect(held).toContain(part);
    const { audit } = JSON.parse(held) as { audit: { subject: { kind: string }; actor: object }[] };
    const decided = audit.filter(({ actor }) => !('accountId' in actor)).map(({ subject }) => subject.kind);
    expect(new Set(decided)).toEqual(new Set(['account', 'token', 'representative', 'dispute', 'reply']));
    await cli('account', 'erase', 'anna', '--yes', 'anna', '--reason', 'requested');
    const left = await inDatabase(service, async (db) =>
      Promise.all(
        ['representatives', 'disputes', 'reviewReplies', 'reviews'].map((name) => db.collection(name).find().toArray()),
      ),
    );
    expect(JSON.stringify(left)).not.toContain(SECRET);
    expect(left[0]?.filter(({ accountId }) => accountId !== undefined)).toHaveLength(1);
    expect((await readBroker('alpha')).disputes).toHaveLength(3);
    expect((await readBroker('alpha')).recentReviews.filter(({ reply }) => reply)).toEqual([]);
  });
});
