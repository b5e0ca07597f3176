import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToken, importRows } from '../support/filled-service.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { type Browser, openBrowser, signIn } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

const PUBLIC_URL = 'https://ratings.example';
const PATH = '/mine/mail';

let inbox: MailServer;
let service: LocalService;
let alice: Browser;

beforeAll(async () => {
  inbox = await startMailServer();
  service = await startService({
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Ratings <mail@ratings.example>',
    PUBLIC_URL,
    JOBS: 'on',
  });
  await importRows(service, 'brokers', [brokerRow('alpha-markets', { name: 'Alpha Markets' })]);
  await createToken(service, 'alice');
  alice = openBrowser(service, PUBLIC_URL);
  alice.cookies.set('__Host-session', (await signIn(service, 'alice')).cookies.get('session') as string);
  await service.settle();
});
afterAll(async () => {
  await service?.remove();
  await inbox?.close();
});

const newest = async (address: string, count: number): Promise<ReceivedMail> => {
  await until(`${count} mails to ${address}`, 20_000, async () => {
    await service.settle();
    return inbox.to(address).length >= count;
  });
  return inbox.to(address)[count - 1] as ReceivedMail;
};

test('a person says where they are told, confirms it by a code, and ends it', async () => {
  const address = 'alice@mail.example';
  expect((await alice.get(PATH)).html).toContain('We write to no address of yours');
  const wrong = await alice.send(PATH, { do: 'change', address: 'alice at home', language: 'de' });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('id="field-address-problem"')]);
  expect((await alice.send(PATH, { do: 'change', address, language: 'de' })).location).toBe(PATH);
  const { text, subject } = await newest(address, 1);
  expect(subject).toMatch(/Code|Adresse/);
  const code = /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(text)?.[0] as string;
  expect((await alice.get(PATH)).html).toContain(`<bdi>${address}</bdi> waits for its code`);
  const refused = await alice.send(PATH, { do: 'confirm', code: 'AAAAA-AAAAA' });
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('id="field-code-problem"')]);
  expect((await alice.send(PATH, { do: 'confirm', code })).location).toBe(PATH);
  expect((await alice.get(PATH)).html).toContain(`We write to <bdi>${address}</bdi>`);

  const asked = await alice.send('/follow?broker=alpha-markets', { mail: address });
  expect([200, 303]).toContain(asked.status);
  const link = (await newest(address, 2)).text.split(/\s/).find((word) => word.includes('/follow/confirm/')) ?? '';
  await alice.send(link.slice(PUBLIC_URL.length));
  expect((await alice.get(PATH)).html).toContain('<bdi>Alpha Markets</bdi>');
  expect((await alice.send(PATH, { do: 'end', broker: 'alpha-markets' })).location).toBe(PATH);
  expect((await alice.get(PATH)).html).toContain('By this address you follow no broker');

  expect((await alice.send(PATH, { do: 'stop' })).location).toBe(PATH);
  expect((await alice.get(PATH)).html).toContain('We write to no address of yours');
});
