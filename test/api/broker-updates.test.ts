import type { BrokerSummary, BrokersListQuery, Client } from '@broker-transparency/client';
import { parseEntryKey } from '@broker-transparency/contract/record';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { createToken, importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { getCollection, listComplaints, profileWork } from '../support/queries.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow, newsRow } from '../support/records.ts';
import { publishReviews } from '../support/reviewers.ts';
import { BACKGROUND, type LocalService, startService } from '../support/service.ts';
import { buildComplaint } from '../support/submissions.ts';

let scratch: Scratch;
let service: LocalService;
let client: Client;
/** Number of brokers, of names given to them, and of people who write reviews, so far. */
let [brokers, names, people] = [0, 0, 0];

/** A broker that the test knows. The first slug and the current one name it in rows. */
interface KnownBroker {
  readonly first: string;
  readonly slug: string;
}

/** The published brokers, in the order in which they came. */
let known: KnownBroker[] = [];
/** Current slugs of brokers that were merged into others. */
const merged: KnownBroker[] = [];

const change = ({ first, slug }: KnownBroker, over: Record<string, unknown>) =>
  importRows(service, 'brokers', [brokerRow(first, { slug, ...over })]);

const addBroker = async (): Promise<KnownBroker> => {
  const first = `firm-${++brokers}`;
  const broker = { first, slug: first };
  await change(broker, {});
  known.push(broker);
  return broker;
};

const rename = async (broker: KnownBroker): Promise<string> => {
  const to = `${broker.first}-${++names}`;
  succeeded(await service.cli('broker', 'rename', broker.slug, to));
  known = known.map((one) => (one === broker ? { ...one, slug: to } : one));
  return to;
};

const merge = async (gone: KnownBroker, into: KnownBroker): Promise<void> => {
  succeeded(await service.cli('broker', 'merge', gone.slug, '--into', into.slug));
  known = known.filter((one) => one !== gone);
  merged.push(gone);
};

/** Imports a broker that nobody else names, and returns its slug and the command that removes it again. */
const addRemovable = async () => {
  const slug = `gone-${++brokers}`;
  const file = await scratch.ndjson(`${slug}.ndjson`, [brokerRow(slug)]);
  const { run } = JSON.parse(succeeded(await service.cli('import', 'brokers', file, '--json'))) as { run: string };
  return { slug, remove: async () => succeeded(await service.cli('import', 'undo', run, '--yes', run)) };
};

const review = async ({ slug }: KnownBroker): Promise<void> => {
  const token = await createToken(service, `person-${++people}`);
  await publishReviews(service, slug, [token], { rating: (people % 5) + 1 });
};

/** Returns a broker without the times at which it was computed. */
const timeless = ({ updatedAt, score: { computedAt, ...score }, ...rest }: BrokerSummary) => ({ ...rest, score });

/** A caller that keeps all brokers that pass a filter, by what the list of changes says. */
const createCopy = (query: BrokersListQuery = {}) => {
  const held = new Map<string, BrokerSummary>();
  const seen = new Set<string>();
  let next = 0;
  /** Reads one page. Returns whether another one is ready. */
  const readPage = async (limit: number): Promise<boolean> => {
    const { data, updates } = await client.brokers.list({ ...query, updatedSince: next, limit });
    if (!updates) throw new Error('the page does not say where to go on');
    for (const slug of updates.gone) held.delete(slug);
    for (const broker of data) held.set(broker.slug, broker);
    for (const slug of [...updates.gone, ...data.map((broker) => broker.slug)]) seen.add(slug);
    next = updates.next;
    return updates.more;
  };
  return {
    held,
    seen,
    readPage,
    readAll: async (limit: number): Promise<void> => {
      while (await readPage(limit));
    },
    next: () => next,
  };
};

const listAll = async (query: BrokersListQuery = {}): Promise<BrokerSummary[]> =>
  client.brokers.list({ ...query, limit: 100 }).toArray();

const bySlug = (all: Iterable<BrokerSummary>) => [...all].map(timeless).sort((a, b) => (a.slug < b.slug ? -1 : 1));

beforeAll(async () => {
  scratch = await createScratch();
  service = await startService();
  client = service.client();
  for (let n = 0; n < 6; n++) await addBroker();
  await service.settle();
});
afterAll(async () => {
  await service?.remove();
  await scratch?.remove();
});

const at = fc.nat(1000);
/** A write, or a page of a caller. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('change' as const), at, country: fc.constantFrom('GB', 'CY') }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('review' as const, 'rename' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom('add' as const, 'remove' as const, 'split' as const), at }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('merge' as const), at, into: at }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('page' as const), limit: fc.integer({ min: 1, max: 3 }) }) },
);
type UpdateStep = typeof step extends fc.Arbitrary<infer T> ? T : never;

const pick = (all: readonly KnownBroker[], place: number) => all[place % all.length] as KnownBroker;

/** Removes a broker that was added before. */
let removeAdded: (() => Promise<unknown>) | undefined;

test('a caller that reads page by page while others write misses no change', async () => {
  const copies = [createCopy(), createCopy({ country: 'CY' })];
  const write = async (one: Exclude<UpdateStep, { readonly does: 'page' }>): Promise<void> => {
    const broker = pick(known, one.at);
    if (one.does === 'change') await change(broker, { country: one.country, foundedYear: 1950 + (one.at % 50) });
    else if (one.does === 'review') await review(broker);
    else if (one.does === 'rename') await rename(broker);
    else if (one.does === 'add') await addBroker();
    else if (one.does === 'remove') {
      const remove = removeAdded;
      removeAdded = remove ? undefined : (await addRemovable()).remove;
      await remove?.();
    } else if (one.does === 'merge') {
      const into = pick(known, one.into);
      if (into !== broker && known.length > 3) await merge(broker, into);
    } else {
      const apart = merged.pop();
      if (!apart) return;
      succeeded(await service.cli('broker', 'split', apart.slug));
      known.push(apart);
    }
  };
  const polling = createCopy();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 25 }), async (steps) => {
      const begin = (await readRecord(service)).length;
      const waiting = [...steps];
      const takeSteps = async (): Promise<void> => {
        for (let one = waiting[0]; one; waiting.shift(), one = waiting[0])
          if (one.does === 'page') for (const copy of copies) await copy.readPage(one.limit);
          else await write(one);
      };
      const poll = async (): Promise<void> => {
        while (waiting.length > 0) await polling.readPage(2);
      };
      await Promise.all([takeSteps(), poll()]);
      await service.settle();
      for (const copy of [...copies, polling]) await copy.readAll(3);
      const [all, some] = [await listAll(), await listAll({ country: 'CY' })];
      expect(bySlug(copies[0]?.held.values() ?? [])).toEqual(bySlug(all));
      expect(bySlug(copies[1]?.held.values() ?? [])).toEqual(bySlug(some));
      expect(bySlug(polling.held.values())).toEqual(bySlug(all));
      const changed = (await readRecord(service)).slice(begin).filter(({ subject }) => subject.startsWith('broker/'));
      for (const { subject } of changed) expect(polling.seen).toContain(parseEntryKey(subject)[1]);
    }),
    { seed: 20_261_128, numRuns: 3, endOnFailure: true },
  );
});

/** Returns the page of everything that changed while `work` ran. */
const readChanged = async (work: () => Promise<unknown>, query: BrokersListQuery = {}) => {
  await service.settle();
  const { updates } = await client.brokers.list({ updatedSince: 999_999_999 });
  await work();
  await service.settle();
  const page = await client.brokers.list({ limit: 100, ...query, updatedSince: updates?.next });
  return { slugs: page.data.map(({ slug }) => slug), ...page };
};

describe('a list of what changed', () => {
  test('the list has a broker once, after those that changed before it', async () => {
    const [first, second] = [await addBroker(), await addBroker()];
    const { slugs, updates, pagination } = await readChanged(async () => {
      for (const broker of [first, second, first]) await change(broker, { foundedYear: 1990 + ++names });
    });
    expect(slugs).toEqual([second.slug, first.slug]);
    expect({ updates, pagination }).toMatchObject({ updates: { more: false, gone: [] }, pagination: { total: 2 } });
  });

  test('the list has a broker with a new review', async () => {
    const broker = await addBroker();
    expect((await readChanged(() => review(broker))).slugs).toEqual([broker.slug]);
  });

  test('the list does not have a broker with a new complaint before the night, while its count is public', async () => {
    const broker = await addBroker();
    const token = await createToken(service, `person-${++people}`);
    const { slugs } = await readChanged(() => service.client(token).complaints.create(buildComplaint(broker.slug)));
    expect(slugs).toEqual([]);
    expect(await listAll({ slugs: [broker.slug] })).toMatchObject([{ complaintSummary: { open: 1 } }]);
  });

  test('the list has a renamed broker by its new slug, and names the former one', async () => {
    const broker = await addBroker();
    let to = '';
    const { slugs, updates } = await readChanged(async () => {
      to = await rename(broker);
    });
    expect([slugs, updates?.gone]).toEqual([[to], [broker.slug]]);
  });

  test('the list has the broker into which another one was merged, and names the latter', async () => {
    const [gone, into] = [await addBroker(), await addBroker()];
    const { slugs, updates } = await readChanged(() => merge(gone, into));
    expect([slugs, updates?.gone]).toEqual([[into.slug], [gone.slug]]);
  });

  test('the list has a broker that ceased, with its state', async () => {
    const broker = await addBroker();
    const { data, updates } = await readChanged(() => change(broker, { status: 'ceased' }));
    expect(data).toMatchObject([{ slug: broker.slug, status: 'ceased', color: 'gray' }]);
    expect(updates?.gone).toEqual([]);
    known = known.filter((one) => one !== broker);
  });

  test('the list names a broker that was removed', async () => {
    const { slug, remove } = await addRemovable();
    const { slugs, updates } = await readChanged(remove);
    expect([slugs, updates?.gone]).toEqual([[], [slug]]);
  });

  test('the list names a broker that does not pass the filters any more', async () => {
    const broker = await addBroker();
    const move = (country: string) => readChanged(() => change(broker, { country }), { country: 'AU' });
    const [entered, left] = [await move('AU'), await move('GB')];
    expect([entered.slugs, entered.updates?.gone]).toEqual([[broker.slug], []]);
    expect([left.slugs, left.updates?.gone]).toEqual([[], [broker.slug]]);
  });

  test('the list has those of the named brokers that changed', async () => {
    const [one, other, third] = [await addBroker(), await addBroker(), await addBroker()];
    let to = '';
    const slugs = [one.slug, other.slug, 'nobody'];
    const work = async () => {
      to = await rename(one);
      await change(third, { foundedYear: 1999 });
    };
    const page = await readChanged(work, { slugs });
    expect(page).toMatchObject({ slugs: [to], moved: [{ asked: one.slug, slug: to }], unknown: ['nobody'] });
    expect(page.updates?.gone).toEqual([one.slug]);
  });

  test('the list is empty when nothing changed, and goes on at the end of the record', async () => {
    const { data, updates } = await readChanged(async () => {});
    expect(data).toEqual([]);
    expect(updates).toEqual({ next: (await readRecord(service)).length, more: false, gone: [] });
  });

  test('the list goes on behind entries that are about no broker, from a new answer', async () => {
    const { slugs, updates } = await readChanged(() =>
      importRows(service, 'news', [newsRow(++names, { brokerSlugs: [] })]),
    );
    expect([slugs, updates?.next]).toEqual([[], (await readRecord(service)).length]);
  });

  test('a caller reads the list to its end by its Link headers', async () => {
    const found: string[] = [];
    let path: string | undefined = '/api/v1/brokers?updatedSince=0&limit=3&country=gb';
    while (path !== undefined) {
      const answer = await send(new URL(path, service.origin).href);
      found.push(...answer.json<{ data: { slug: string }[] }>().data.map(({ slug }) => slug));
      path = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
    }
    expect(new Set(found)).toEqual(new Set((await listAll({ country: 'GB' })).map(({ slug }) => slug)));
  });
});

test.each<[query: string, parameter: string, code: string, detail: RegExp]>([
  ['updatedSince=0&offset=20', 'offset', 'too_big', /^"offset" must be 0 with "updatedSince": "updates.next"/],
  ['updatedSince=2026-11-01', 'updatedSince', 'invalid_format', /whole number/],
  ['updatedSince=-1', 'updatedSince', 'invalid_format', /whole number/],
  ['updatedsince=1', 'updatedsince', 'unknown', /did you mean "updatedSince"\?$/],
])('refuses ?%s, and names the parameter and the cure', async (asked, parameter, code, detail) => {
  const { errors } = expectProblem(await send(`${service.baseUrl}/brokers?${asked}`));
  expect(errors).toEqual([{ parameter, code, detail: expect.stringMatching(detail) }]);
});

describe('sort=newest_change', () => {
  const listSorted = async (query: BrokersListQuery = {}): Promise<string[]> =>
    (await listAll({ ...query, sort: 'newest_change' })).map(({ slug }) => slug);
  /** Returns the brokers in the order of their changes, newest first, as a copy of the list of changes has them. */
  const listByNumber = async (query: BrokersListQuery = {}): Promise<string[]> => {
    const seen = new Map<string, true>();
    let next = 0;
    for (let more = true; more; ) {
      const { data, updates } = await client.brokers.list({ ...query, updatedSince: next, limit: 100 });
      for (const { slug } of data) {
        seen.delete(slug);
        seen.set(slug, true);
      }
      next = updates?.next ?? 0;
      more = updates?.more === true;
    }
    return [...seen.keys()].reverse();
  };

  test('the broker that the record has the newest entry about comes first, after each kind of change', async () => {
    const [first, second, third] = known as [KnownBroker, KnownBroker, KnownBroker];
    const steps: [what: string, step: () => Promise<string>][] = [
      ['a new country', () => change(third, { country: 'MT' }).then(() => third.slug)],
      ['a review', () => review(first).then(() => first.slug)],
      ['a new slug', async () => rename(second)],
      ['a new broker', async () => (await addBroker()).slug],
    ];
    for (const [what, step] of steps) {
      const slug = await step();
      await service.settle();
      expect((await listSorted())[0], what).toBe(slug);
      expect(await listSorted(), what).toEqual(await listByNumber());
    }
    const [into, gone] = [await addBroker(), await addBroker()];
    await service.settle();
    await merge(gone, into);
    await service.settle();
    expect((await listSorted()).slice(0, 2)).toContain(into.slug);
    expect(await listSorted({ country: 'MT' })).toEqual([third.slug]);
    expect((await listSorted()).toSorted()).toEqual((await listAll()).map((broker) => broker.slug).toSorted());
  });

  test('its pages are slices of the whole order, with links that keep it', async () => {
    const all = await listSorted();
    const answer = await send(`${service.baseUrl}/brokers?limit=2&sort=newest_change&offset=2`);
    expect(answer.json<{ data: { slug: string }[] }>().data.map(({ slug }) => slug)).toEqual(all.slice(2, 4));
    expect(answer.headers['link']).toContain('</api/v1/brokers?limit=2&offset=4&sort=newest_change>; rel="next"');
  });

  test('refuses another order, and one with updatedSince', async () => {
    for (const query of ['sort=score', 'sort=', 'sort=newest_change&updatedSince=0']) {
      const { errors } = expectProblem(await send(`${service.baseUrl}/brokers?${query}`));
      expect(errors).toEqual([{ parameter: 'sort', code: expect.any(String), detail: expect.any(String) }]);
    }
  });

  test('a page of the site has the same order', async () => {
    const { text } = await send(`${service.origin}/brokers?order=changed`, { headers: { Accept: 'text/html' } });
    const listed = [...text.matchAll(/<th scope="row"><a href="\/brokers\/([^"]+)">/g)].map(([, slug]) => slug);
    expect(listed).toEqual((await listSorted()).slice(0, 50));
    expect(text).toContain('newest change first</caption>');
  });

  test('one number is read of the record where nothing is new, and only what is new where something is', async () => {
    const readCosts = () =>
      inDatabase(service, async (db) => {
        const commands = await profileWork(db, async () => {
          await send(`${service.baseUrl}/brokers?sort=newest_change&limit=${(++names % 100) + 1}`);
        });
        expect(listComplaints(commands)).toEqual([]);
        const ofRequest = commands.filter(({ appName }) => appName !== BACKGROUND);
        const own = ofRequest.filter((command) => getCollection(command) === 'recordSubtotals');
        return own.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
      });
    await readCosts();
    expect(await readCosts()).toBeLessThanOrEqual(1);
    await change(known[0] as KnownBroker, { country: 'CY' });
    await service.settle();
    expect(await readCosts()).toBeLessThanOrEqual(2);
    expect(await readCosts()).toBeLessThanOrEqual(1);
  });
});

test.each([
  'updatedSince=0&limit=100',
  'updatedSince=0&country=GB&regulator=fca',
  'updatedSince=0&slugs=firm-1,nobody',
])('?%s uses indexes, and reads six documents a broker at most', (query) =>
  inDatabase(service, async (db) => {
    let brokers = 0;
    const commands = await profileWork(db, async () => {
      const answer = await send(`${service.baseUrl}/brokers?${query}&status=operating`);
      const { data, updates } = answer.json<{ data: unknown[]; updates: { gone: string[] } }>();
      brokers = data.length + updates.gone.length;
    });
    expect(listComplaints(commands)).toEqual([]);
    expect(commands.map(getCollection)).toContain('recordSubtotals');
    expect(commands.map(getCollection)).not.toContain('recordEntries');
    const documents = commands.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
    expect(documents).toBeLessThanOrEqual(6 * brokers + 6);
  }),
);
