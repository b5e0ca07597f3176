import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, getJson, importRows, succeeded } from '../support/filled-service.ts';
import { brokerRow, licenseRow, regulatorRow } from '../support/records.ts';
import { startReviewWork } from '../support/review-work.ts';
import { type LocalService, startService } from '../support/service.ts';
import { buildComplaint, buildReview } from '../support/submissions.ts';
import { until } from '../support/until.ts';

/** Some commands run in processes of their own. */
let service: LocalService;
let scratch: Scratch;
beforeAll(async () => {
  [service, scratch] = await Promise.all([startService(), createScratch()]);
  await importRows(service, 'regulators', [regulatorRow('zz-one')]);
  await importRows(service, 'brokers', [
    brokerRow('alpha', { licenses: [licenseRow('alpha Ltd', 'fca'), licenseRow('alpha Ltd', 'zz-one')] }),
    brokerRow('beta', { warnings: [], tradingNames: ['Beta, "the" first', 'Beta FX'] }),
    brokerRow('queue'),
    brokerRow('other'),
  ]);
});
afterAll(() => Promise.all([service?.remove(), scratch?.remove()]));

const done = async (...args: string[]) => succeeded(await service.cli(...args)).trim();
/** Runs a command that is refused: by exit code 1, or by 2 as wrong usage. Returns its message. */
const expectRefusal = async (exit: 1 | 2, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await service.cli(...args);
  expect({ code, stdout }, stderr).toEqual({ code: exit, stdout: '' });
  return stderr;
};
const refused = (...args: string[]): Promise<string> => expectRefusal(1, ...args);
const findRun = (text: string) => /import undo ([0-9a-f]{12})/.exec(text)?.[1] as string;
const shows = async (slug: string, expected: object): Promise<void> => {
  await service.settle();
  expect(await getJson(service, `/brokers/${slug}`), slug).toEqual(expect.objectContaining(expected));
};
const SOURCE = 'https://register.example/facts';
const by = ['--source', SOURCE, '--actor', 'maria'] as const;

describe('one fact of a broker', () => {
  test('a fact of a broker is stated with its source, shown first, and undone', async () => {
    const shown = await done('broker', 'set', 'alpha', 'country=IE', ...by, '--dry-run');
    expect(shown).toMatch(/country +GB +IE/);
    expect(shown).toContain('Nothing was written');
    expect(await getJson(service, '/brokers/alpha')).toMatchObject({ country: 'GB' });

    const run = findRun(await done('broker', 'set', 'alpha', 'country=IE', ...by));
    await shows('alpha', { country: 'IE' });
    expect(await getJson(service, '/brokers/alpha')).toMatchObject({
      licenses: [{ regulatorCode: 'fca' }, { regulatorCode: 'zz-one' }],
      provenance: [{ fact: 'country', sourceUrl: SOURCE }],
    });
    expect(await done('broker', 'set', 'alpha', 'country=IE', '--reason', 'Again.')).toContain('nothing was written');
    const [entry] = JSON.parse(await done('audit', 'list', '--subject', 'broker:alpha', '--by', 'maria', '--json'));
    expect(entry).toMatchObject({ before: { country: 'GB' }, after: { country: 'IE' }, reason: `import:${run}` });

    await done('import', 'undo', run, '--yes', run, '--actor', 'maria');
    await shows('alpha', { country: 'GB', provenance: [] });
  });

  test('a fact needs a source or a reason, which the list of runs shows', async () => {
    expect(await expectRefusal(2, 'broker', 'set', 'alpha', 'country=IE')).toBe(
      'Pass --source URL (where it is from) or --reason TEXT (why).\n',
    );
    const run = findRun(await done('broker', 'set', 'alpha', 'foundedYear=2004', '--reason', 'They wrote so.'));
    const [row] = JSON.parse(await done('import', 'list', '--limit', '1', '--json'));
    expect(row).toMatchObject({ id: run, what: 'brokers', fileName: 'broker set alpha', note: 'They wrote so.' });
    await done('import', 'undo', run, '--yes', run);
  });

  test.each([
    [['cuntry=IE'], '"cuntry" is not a known field; did you mean "country"?'],
    [['country=Ireland'], 'country: '],
    [['licenses.0.status=active'], 'names an entry by its place'],
    [['licenses=x'], 'so change one entry: --add, --change or --remove'],
    [['name=null'], '"name" cannot be taken back'],
    [['domains', '--remove', 'never.example'], 'No entry of domains that this source states is "never.example".'],
    [['licenses', '--change', 'status=active', '--to', 'status=withdrawn'], '2 entries of licenses'],
    [['licenses', '--add', 'regulatorCode=nobody', 'referenceNumber=1'], 'licenses.2.'],
  ])('broker set refuses %j in one line', async (facts, message) => {
    const line = await refused('broker', 'set', 'alpha', ...facts, ...by);
    expect(line).toContain(message);
    expect(line.trim()).not.toContain('\n');
  });

  test.each([
    [['country='], 'says nothing. To take a field back: country=null'],
    [['country=IE', 'name=null', '--add', 'x'], 'Name the list before its entry'],
  ])('broker set takes %j as wrong usage', async (facts, message) => {
    expect(await expectRefusal(2, 'broker', 'set', 'alpha', ...facts, ...by)).toContain(message);
  });

  test('broker set names broker add for a broker that is not there, and the other way round', async () => {
    expect(await refused('broker', 'set', 'nobody', 'country=IE', ...by)).toContain('For a new one: broker add nobody');
    expect(await refused('broker', 'add', 'alpha', 'country=IE', ...by)).toContain('To correct it: broker set alpha');
  });
});

describe('one entry of a list', () => {
  test('an entry of a list is added, changed and removed while the others stay', async () => {
    await done('broker', 'set', 'alpha', 'domains', '--add', 'alpha-two.example', 'alpha-three.example', ...by);
    await shows('alpha', { domains: ['alpha.example', 'alpha-two.example', 'alpha-three.example'] });
    await done('broker', 'set', 'alpha', 'domains', '--remove', 'alpha-two.example', ...by);
    const licence = ['regulatorCode=fca', 'referenceNumber=REF-fca'];
    await done('broker', 'set', 'alpha', 'licenses', '--change', ...licence, '--to', 'status=withdrawn', ...by);
    const warning = ['title=Not authorised', 'source=FCA', 'publishedAt=2026-11-01', 'about=this_firm'];
    await done('broker', 'set', 'alpha', 'warnings', '--add', ...warning, ...by);
    await shows('alpha', { domains: ['alpha.example', 'alpha-three.example'], color: 'red' });
    const broker = await getJson(service, '/brokers/alpha');
    expect(broker).toMatchObject({
      licenses: [
        { regulatorCode: 'fca', status: 'withdrawn', sourceUrl: 'https://register.example/entry' },
        { regulatorCode: 'zz-one', status: 'active' },
      ],
      warnings: [{ url: SOURCE, publishedAt: '2026-11-01T00:00:00.000Z' }],
    });
    expect((broker['provenance'] as { fact: string }[]).map(({ fact }) => fact).sort()).toEqual([
      'domains',
      'licenses',
      'warnings',
    ]);
    await done('broker', 'set', 'alpha', 'warnings', '--remove', `url=${SOURCE}`, ...by);
    await shows('alpha', { warnings: [] });
  });

  test('an entry of another source stays: nobody takes back what somebody else says', async () => {
    const row = { slug: 'beta', licenses: [licenseRow('beta Ltd', 'zz-one')] };
    const file = await scratch.ndjson('dataset.ndjson', [row]);
    await done('import', 'brokers', file, '--stated-by', 'dataset:list', '--source', SOURCE);
    expect(await refused('broker', 'set', 'beta', 'licenses', '--remove', 'regulatorCode=zz-one', ...by)).toContain(
      'No entry of licenses that this source states',
    );
    await done('broker', 'set', 'beta', 'licenses', '--remove', 'regulatorCode=fca', ...by);
    await shows('beta', { licenses: [expect.objectContaining({ regulatorCode: 'zz-one' })] });
  });
});

test('a broker is added with its facts, found in the list, and shown', async () => {
  const facts = ['name=New FX', 'legalName=New FX Ltd', 'website=https://new-fx.example', 'country=MT'];
  expect(await refused('broker', 'add', 'new-fx', ...facts.slice(1), ...by)).toContain('"name" is required');
  await done('broker', 'add', 'new-fx', ...facts, 'domains=new-fx.example|newfx.example', ...by);
  await shows('new-fx', { domains: ['new-fx.example', 'newfx.example'] });
  const rows = JSON.parse(await done('broker', 'list', '--like', 'NEWFX.', '--json'));
  expect(rows).toMatchObject([{ slug: 'new-fx', name: 'New FX', country: 'MT' }]);
  const cut = await service.cli('broker', 'list', '--limit', '2');
  expect(succeeded(cut)).toMatch(/\n2 of 5 shown: --limit 5 shows all\.\n$/);
  const json = await service.cli('broker', 'list', '--limit', '2', '--json');
  expect([JSON.parse(json.stdout).length, json.stderr]).toEqual([2, '2 of 5 shown: --limit 5 shows all.\n']);
  expect(await done('broker', 'show', 'new-fx')).toMatch(/legalName +New FX Ltd[\s\S]*fact show broker new-fx$/);
});

describe('an export', () => {
  test.each(['brokers', 'regulators'] as const)(
    'an export of %s can be imported again, and changes nothing',
    async (what) => {
      const group = what === 'brokers' ? 'broker' : 'regulator';
      if (what === 'regulators') await done('regulator', 'set', 'fca', 'protections.retailLeverageCap=30', ...by);
      const statements = () => inDatabase(service, (db) => db.collection('statements').countDocuments());
      for (const format of ['csv', 'ndjson']) {
        const file = join(scratch.path, `${what}.${format}`);
        const { stderr } = await service.cli(group, 'export', file);
        expect(stderr).toMatch(new RegExp(`^[1-9]\\d* ${what} written, as editors state them\\.`));
        const before = await statements();
        expect(await done('import', what, file, '--dry-run')).toMatch(/ 0 new, 0 changed, [1-9]\d* unchanged\./);
        await done('import', what, file);
        expect(await statements()).toBe(before);
      }
    },
  );

  test('an export of what is published has every regulator, whoever states it', async () => {
    const file = join(scratch.path, 'published.csv');
    await done('regulator', 'export', file, '--published');
    const known = JSON.parse(await done('regulator', 'list', '--json')).length;
    expect(await done('import', 'regulators', file, '--dry-run')).toContain(
      `${known} regulators: 0 new, 0 changed, ${known} unchanged.`,
    );
  });

  test('an export of some fields has these and the key, and does not overwrite a file', async () => {
    const file = join(scratch.path, 'some.csv');
    await done('broker', 'export', file, '--fields', 'country', 'tradingNames');
    const [header, ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
    expect(header).toBe('slug,tradingNames,country');
    expect(lines).toContain('beta,"Beta, ""the"" first|Beta FX",GB');
    expect(await refused('broker', 'export', file)).toContain('the file exists; name a new one');
    expect(await refused('broker', 'export', '--fields', 'contry')).toContain('"contry" is no field. There are slug, ');
  });
});

test('a fact of a regulator is stated with its source, and a part of an object leaves the others', async () => {
  await done('regulator', 'set', 'zz-one', 'protections.segregation=true', ...by);
  await done('regulator', 'set', 'zz-one', 'lastVerifiedAt=today', '--reason', 'All sources opened.');
  const regulator = JSON.parse(await done('regulator', 'show', 'zz-one', '--json'));
  expect(regulator).toMatchObject({
    protections: { compensationLimit: null, negativeBalance: true, segregation: true, retailLeverageCap: 30 },
    lastVerifiedAt: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`,
  });
  expect(regulator.sources).toContainEqual({ fact: 'protections', url: SOURCE });
  expect(await done('regulator', 'list', '--country', 'MT', '--tier', '2')).toContain('zz-one');
});

test('seed states as an import does: an editor stays published, and the run can be undone', async () => {
  await done('regulator', 'set', 'asic', 'tier=4', ...by);
  expect(await done('admin', 'seed')).toMatch(
    /^\d+ regulators are as in the reference data\.\nKept, since editors [^\n]*asic/,
  );
  expect(await done('admin', 'seed')).not.toContain('import undo'); // it says nothing new
  const collection = (name: string) => inDatabase(service, (db) => db.collection(name).find({}).toArray());
  await inDatabase(service, (db) =>
    db.collection('statements').deleteMany({ subject: 'regulator:cvm', 'source.kind': 'reference' }),
  );
  const run = findRun(await done('admin', 'seed'));
  expect(await collection('importRuns')).toContainEqual(
    expect.objectContaining({ _id: run, fileName: 'reference data', source: { kind: 'reference', name: 'reference' } }),
  );
  await done('import', 'undo', run, '--yes', run);
  expect(JSON.parse(await done('regulator', 'show', 'asic', '--json')).tier).toBe(4);
});

/** Runs `review work` with these keys, which come after each prompt. */
const work = (actor: string, ...options: string[]) => {
  const started = startReviewWork(service, '--actor', actor, ...options);
  const prompted = (times: number) =>
    until(`${times} prompts`, 20_000, async () => started.output().split('[q]uit [?]').length > times);
  return { ...started, prompted };
};

describe('review work', () => {
  const ids: string[] = [];
  const states = async () => {
    const rows = await inDatabase(service, (db) => db.collection('reviews').find({}).toArray());
    const byId = new Map(rows.map((row) => [String(row._id), row]));
    return ids.map((id) => byId.get(id)?.['status']);
  };
  beforeAll(async () => {
    const texts = ['The first: quick.', 'The second, see www.shop.example for more.', 'The third: slow.', 'The last.'];
    for (const [at, content] of texts.entries()) {
      const token = await createToken(service, `writer-${at}`);
      const over = { content: `${content} I withdrew ${at + 2} times this year, to my own bank account.` };
      ids.push((await service.client(token).reviews.create(buildReview(at === 3 ? 'other' : 'queue', over))).id);
    }
  });

  test('review work decides by key, takes back the last decision, and shows no review to two terminals', async () => {
    const [first, second] = [work('anna'), work('anna')];
    await first.prompted(1);
    await second.prompted(1);
    const held = [first, second].map(({ output }) => ids.filter((id) => output().includes(id)));
    expect(held.map((one) => one.length)).toEqual([1, 1]);
    expect(held[0]).not.toEqual(held[1]);
    second.child.stdin?.end('q');
    expect(await second.ended).toBe(0);
    expect(await states()).toEqual(['pending', 'pending', 'pending', 'pending']);

    first.child.stdin?.write('p');
    await first.prompted(2);
    expect(await states()).toEqual(['pending', 'pending', 'pending', 'pending']); // it can still be taken back
    first.child.stdin?.write('u');
    await first.prompted(3);
    first.child.stdin?.write('r5');
    await first.prompted(4);
    first.child.stdin?.write('p');
    await first.prompted(5);
    first.child.stdin?.end('q');
    expect(await first.ended, first.output()).toBe(0);
    expect(first.output()).toMatch(/\n1 published, 1 rejected, 0 skipped\. 2 wait\.\n$/);
    expect((await states()).toSorted()).toEqual(['pending', 'pending', 'published', 'rejected']);
  });

  test('review work is narrowed by hint and broker, and asks for a note where a reason needs one', async () => {
    await inDatabase(service, (db) =>
      db
        .collection('reviews')
        .updateMany({ _id: { $exists: true } }, { $set: { status: 'pending' }, $unset: { claim: 1 } }),
    );
    expect(JSON.parse(await done('review', 'list', '--hint', 'link', '--json'))).toMatchObject([{ id: ids[1] }]);
    expect(JSON.parse(await done('review', 'list', '--broker', 'other', '--json'))).toMatchObject([{ id: ids[3] }]);
    expect(JSON.parse(await done('review', 'list', '--author', 'writer-2', '--json'))).toMatchObject([{ id: ids[2] }]);
    const { child, ended, output } = work('ben', '--hint', 'link');
    child.stdin?.end('r7\nThe law on prospectuses.\nq');
    expect(await ended, output()).toBe(0);
    expect(output()).toContain('! link: a link: www.shop.example');
    expect(output()).toContain('reviews of this person: 1 pending');
    expect(output()).not.toContain(ids[0]);
    const shown = await done('review', 'show', ids[1] as string);
    expect(shown).toMatch(/reject, unlawful\. The law on prospectuses\.[\s\S]*State: rejected, unlawful$/);
    expect(shown).toContain('reviews of this person: 1 rejected');
  });

  test('review reject takes several ids, and rejects the others if one cannot be rejected', async () => {
    const { code, stdout, stderr } = await service.cli(
      ...['review', 'reject', ids[0], ids[1], ids[2], '--reason', 'off_topic', '--actor', 'ben'].map(String),
    );
    expect(code).toBe(1);
    expect(stdout.match(/is rejected/g)).toHaveLength(2);
    expect(stderr).toMatch(/is rejected and cannot become rejected[\s\S]*1 of 3 reviews are not rejected\.\n$/);
    expect(await states()).toEqual(['rejected', 'rejected', 'rejected', 'pending']);
  });

  test('a review that was shown stays undecided when the work is broken off', async () => {
    const { child, prompted, ended } = work('cleo');
    await prompted(1);
    child.kill('SIGKILL');
    await ended;
    expect((await states()).at(-1)).toBe('pending');
  });
});

test('complaints are listed by author, and forwarded at the time at which they were sent', async () => {
  const token = await createToken(service, 'complainer');
  const { reference } = await service.client(token).complaints.create(buildComplaint('alpha'));
  const rows = JSON.parse(await done('complaint', 'list', '--author', 'complainer', '--json'));
  expect(rows).toMatchObject([{ reference }]);
  expect(await refused('complaint', 'list', '--author', 'nobody')).toContain('No account has the subject or id');
  await done('complaint', 'screen', reference);
  expect(await refused('complaint', 'forward', reference, '--at', '2020-01-01T00:00:00Z')).toContain('was received on');
  const created = rows[0].createdAt;
  await done('complaint', 'forward', reference, '--at', created);
  expect(JSON.parse(await done('complaint', 'show', reference, '--json'))).toMatchObject({ forwardedAt: created });
});

test('a job says what it did', async () => {
  expect(await done('admin', 'job', 'run', 'complaint-clocks')).toBe(
    'complaint-clocks is done: 0 reminded, 0 unresolved, 0 overdue.',
  );
});
