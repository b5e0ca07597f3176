import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { brokerRow, licenseRow, warningRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

const WARNING = warningRow();
const IMAGE = /<img class="broker-mark" src="(\/marks\/[0-9a-f]{32}\.png)" width="48" height="48" alt="([^"]*)">/;

/** A broker whose licence was looked up at a time, by default just now. */
const row = (slug: string, over: object = {}, lastVerifiedAt = new Date().toISOString()) =>
  brokerRow(slug, { licenses: [licenseRow(`${slug} Ltd`, 'fca', { lastVerifiedAt })], ...over });

let service: LocalService;
let scratch: Scratch;
/** Pictures that the service has anyway. */
let [icon, card, own] = ['', '', ''];
beforeAll(async () => {
  [service, scratch] = await Promise.all([startService({ LOG_LEVEL: 'error' }), createScratch()]);
  await importRows(service, 'brokers', [
    ...['alpha', 'beta', 'part', 'former'].map((slug) => row(slug)),
    row('warned', { warnings: [WARNING] }),
    row('clone', { status: 'suspected_clone' }),
    row('unlicensed', { licenses: [] }),
    row('unread', {}, '2020-01-01T00:00:00Z'),
  ]);
  const save = async (name: string, path: string) =>
    scratch.write(name, (await send(`${service.origin}${path}`)).bytes);
  [icon, card, own] = await Promise.all([
    save('icon.png', '/apple-touch-icon.png'),
    save('card.png', '/card.png'),
    save('own.png', '/de/brokers/beta/card.png'),
  ]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const run = (...args: string[]) => service.cli('broker', ...args, '--actor', 'maria');
const setMark = async (slug: string, file: string): Promise<string> =>
  succeeded(await run('mark', 'set', slug, file, '--reason', 'firm_sent'));
const removeMark = (slug: string) => run('mark', 'remove', slug, '--reason', 'outdated');
/** Returns the address and the alternative text of the mark on a page. */
const findMark = async (path: string): Promise<readonly string[] | undefined> => {
  await service.settle();
  const page = await send(`${service.origin}${path}`);
  expect([path, page.status]).toEqual([path, 200]);
  return IMAGE.exec(page.text)?.slice(1);
};

test('a broker shows its mark on its page in each language and in comparisons, until it is removed', async () => {
  expect(await findMark('/brokers/alpha')).toBeUndefined();
  expect(await setMark('alpha', icon)).toContain('"alpha" has a mark. Its page shows it now.');
  const [address = '', words] = (await findMark('/brokers/alpha')) ?? [];
  expect(words).toBe('Logo of alpha');
  expect(await findMark('/de/brokers/alpha')).toEqual([address, 'Logo von alpha']);
  expect(await findMark('/compare?a=beta&b=alpha')).toEqual([address, 'Logo of alpha']);

  await setMark('alpha', card);
  const [second = ''] = (await findMark('/brokers/alpha')) ?? [];
  expect(second).not.toBe(address);
  expect((await send(`${service.origin}${address}`)).status).toBe(404);

  expect(succeeded(await removeMark('alpha'))).toContain('"alpha" has no mark any more.');
  expect(await findMark('/brokers/alpha')).toBeUndefined();
  expect((await send(`${service.origin}${second}`)).status).toBe(404);
  expect(await removeMark('alpha')).toMatchObject({ code: 1, stderr: expect.stringContaining('"alpha" has no mark.') });
});

test('a mark has an address of its own for ever, and can do nothing', async () => {
  await setMark('beta', icon);
  const [address = ''] = (await findMark('/brokers/beta')) ?? [];
  const { status, headers, bytes } = await send(`${service.origin}${address}`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([96, 96]);
  for (const wrong of ['/marks/1.png', address.replace('.png', '.svg'), address.replace('.png', '')])
    expect((await send(`${service.origin}${wrong}`)).status).toBe(404);
});

test.each([
  ['warned', 'a warning about the firm is in force'],
  ['clone', 'the firm is a suspected clone'],
  ['unlicensed', 'no register confirmed a licence'],
  ['unread', 'no register confirmed a licence'],
])('a firm that is %s has no mark on any page, and the command says why', async (slug, obstacle) => {
  expect(await setMark(slug, icon)).toContain(`"${slug}" has a mark. Its page hides it: ${obstacle}`);
  for (const path of [`/brokers/${slug}`, `/compare?a=${slug}&b=part`]) expect(await findMark(path)).toBeUndefined();
});

test('the command names other brokers with the same mark', async () => {
  await importRows(service, 'brokers', [row('twin'), row('other-twin')]);
  expect(await setMark('twin', own)).not.toContain('same picture');
  expect(await setMark('other-twin', own)).toContain('The same picture is the mark of twin: make sure');
  await Promise.all(['twin', 'other-twin'].map(removeMark));
});

test('a mark goes when an authority warns of the firm, and comes back when that is withdrawn', async () => {
  await setMark('part', icon);
  const warn = (over: object) => importRows(service, 'brokers', [row('part', { warnings: [{ ...WARNING, ...over }] })]);
  expect(await findMark('/brokers/part')).toBeDefined();
  await warn({});
  expect(await findMark('/brokers/part')).toBeUndefined();
  await warn({ withdrawnAt: '2026-02-01T00:00:00Z' });
  expect(await findMark('/brokers/part')).toBeDefined();
});

test('a mark follows its broker through a new slug, and a merger shows that of the successor until it is undone', async () => {
  await setMark('former', card);
  const [address] = (await findMark('/brokers/former')) ?? [];
  succeeded(await run('rename', 'former', 'current'));
  expect(await findMark('/brokers/current')).toEqual([address, 'Logo of former']);
  succeeded(await run('merge', 'current', '--into', 'beta'));
  expect((await findMark('/brokers/beta'))?.[0]).not.toBe(address);
  expect(await run('mark', 'set', 'current', icon, '--reason', 'firm_sent')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"current" was merged into "beta": name that one.'),
  });
  succeeded(await run('split', 'current'));
  expect(await findMark('/brokers/current')).toEqual([address, 'Logo of former']);
});

test('a removal names the very broker whose mark goes, even if it was merged or is gone', async () => {
  await importRows(service, 'brokers', [row('heir'), row('named')]);
  await importRows(service, 'brokers', [row('gone')]);
  await Promise.all([setMark('heir', icon), setMark('named', own), setMark('gone', card)]);
  const [heir] = (await findMark('/brokers/heir')) ?? [];
  const [named] = (await findMark('/brokers/named')) ?? [];
  succeeded(await run('rename', 'named', 'renamed'));
  succeeded(await run('merge', 'renamed', '--into', 'heir'));
  const [{ id: last }] = JSON.parse(succeeded(await service.cli('import', 'list', '--json')));
  succeeded(await service.cli('import', 'undo', last, '--yes', last));
  const picture = () => send(`${service.origin}${named}`);
  expect((await picture()).status).toBe(200);

  expect(succeeded(await removeMark('renamed'))).toContain('"renamed" has no mark any more.');
  expect(succeeded(await removeMark('gone'))).toContain('"gone" has no mark any more.');
  expect((await findMark('/brokers/heir'))?.[0]).toBe(heir);
  expect((await picture()).status).toBe(404);
  expect(await removeMark('renamed')).toMatchObject({ stderr: expect.stringContaining('"renamed" has no mark.') });
  expect(await removeMark('nobody')).toMatchObject({ stderr: expect.stringContaining('No broker has the slug') });
});

describe('what an operator gives', () => {
  test('a file that is no picture is refused with the cure, and changes nothing', async () => {
    const text = await scratch.write('mark.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    for (const [file, fault] of [
      [text, 'The file is not a PNG, JPEG or WebP picture. Save the mark as one of these.'],
      [scratch.file('none.png'), 'There is no file "'],
      [scratch.path, '" is not a file.'],
      ['/dev/zero', '"/dev/zero" is not a file.'],
    ] as const) {
      const { code, stderr } = await run('mark', 'set', 'beta', file, '--reason', 'press_kit');
      expect([code, stderr]).toEqual([1, expect.stringContaining(fault)]);
    }
    expect(await findMark('/brokers/beta')).toBeDefined();
  });

  test('a dry run stores nothing', async () => {
    const before = await findMark('/brokers/beta');
    succeeded(await run('mark', 'set', 'beta', card, '--reason', 'press_kit', '--dry-run'));
    expect(await findMark('/brokers/beta')).toEqual(before);
  });
});
