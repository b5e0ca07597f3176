/** A random life of a service over some days, through its API and its command line. */
import { storyDay } from '../support/calendar.ts';
import type { Scratch } from '../support/files.ts';
import { createToken, importRows, post, succeeded } from '../support/filled-service.ts';
import { LATER_RELEASE } from '../support/later-release.ts';
import { bin, type CliResult, type ServiceProcess, startProcess } from '../support/process.ts';
import { readRecord } from '../support/record.ts';
import { brokerRow, complaintBody, licenseRow, newsRow, regulatorRow, reviewBody } from '../support/records.ts';
import { moderate } from '../support/reviewers.ts';

/** Noon of each of these days. The record of a day that is missing here is written on the next one. */
const DATES = ['2026-10-30', '2026-10-31', '2026-11-02', '2026-11-03'];
/** The day from which the service is of the later release. */
const UPDATED = '2026-11-02';
/** Times that what happens in the story may hold from. */
const PAST = ['2026-01-02', '2026-07-15', '2026-10-29', '2026-10-31', '2026-12-24'];
const BROKERS = ['ash', 'birch', 'cedar', 'daphne', 'elm', 'fir'];
const PEOPLE = ['ann', 'ben', 'cyn', 'dan', 'eve', 'fay'];
const ASIC_HEADER = 'REGISTER_NAME,AFS_LIC_NUM,AFS_LIC_NAME,AFS_LIC_ABN_ACN,AFS_LIC_START_DT,AFS_LIC_STATUS';

/** Random choices that follow from a seed. */
export interface Random {
  /** A whole number from 0, below `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(from: readonly T[]) => T;
  readonly shuffled: <T>(all: readonly T[]) => T[];
}

/** Mulberry32. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (from) => from[below(from.length)] as never,
    shuffled: (all) =>
      all
        .map((one) => [next(), one] as const)
        .toSorted(([a], [b]) => a - b)
        .map(([, one]) => one),
  };
};

interface Story {
  readonly random: Random;
  readonly scratch: Scratch;
  service: ServiceProcess;
  readonly runs: string[];
  /** Current slugs of brokers, by the first one. */
  readonly slugs: Map<string, string>;
  readonly merged: Set<string>;
  readonly tokens: Map<string, string>;
  readonly reviews: string[];
  count: number;
}

/** Something that happens. Returns whether it did: the service may refuse it, as things are. */
type RecordedEvent = (story: Story) => Promise<boolean>;

const hasHappened = ({ code, stdout, stderr }: CliResult): boolean => {
  if (code === 0) return true;
  if (code === 1 && !/TypeError|ReferenceError/.test(stderr)) return false;
  throw new Error(`ended with ${code}:\n${stdout}${stderr}`);
};
const importRow = async ({ service, scratch, runs, random }: Story, kind: string, row: object): Promise<boolean> => {
  const file = await scratch.ndjson(`${kind}.ndjson`, [row]);
  const since = random.below(2) === 0 || kind === 'news' ? [] : ['--valid-from', random.pick(PAST)];
  const result = await service.cli('import', kind, file, '--json', ...since);
  if (result.code === 0 && JSON.parse(result.stdout).run) runs.push(JSON.parse(result.stdout).run);
  return hasHappened(result);
};
const pickSlug = ({ random, slugs }: Story): string => slugs.get(random.pick([...slugs.keys()])) as string;

const REGULATORS = ['fca', 'asic', 'zz-one', 'zz-two'];
const createLicenses = ({ random }: Story, slug: string) =>
  REGULATORS.slice(0, random.below(5)).flatMap((code) => {
    const of = (legalName: string) =>
      licenseRow(legalName, code, {
        referenceNumber: code === 'asic' ? `90${slug.length}` : `${code} 1/${random.below(2)}`,
        status: random.pick(['active', 'active', 'restricted', 'withdrawn']),
        ...(random.below(2) === 0 ? { statusEffectiveAt: `${random.pick(PAST)}T00:00:00Z` } : {}),
      });
    return random.below(3) === 0 ? [of(`${slug} Ltd`), of(`${slug} Island Ltd`)] : [of(`${slug} Ltd`)];
  });
const createWarnings = ({ random }: Story) =>
  ['a', 'b'].slice(0, random.below(3)).map((path) => ({
    source: 'FCA',
    url: `https://warnings.example/${path}`,
    title: 'A warning',
    publishedAt: `${random.pick(PAST.slice(0, 3))}T00:00:00Z`,
    about: random.pick(['this_firm', 'clone_of_it']),
    ...(random.below(2) === 0 ? { withdrawnAt: '2026-10-30T00:00:00Z' } : {}),
  }));

const createBroker = (story: Story, slug: string) => {
  const { random } = story;
  return brokerRow(slug, {
    name: `${slug} ${random.below(3)}`,
    description: random.below(2) === 0 ? '' : `Text ${random.below(3)} of somebody.`,
    entities: [
      { legalName: `${slug} Ltd`, country: 'GB' },
      { legalName: `${slug} Island Ltd`, country: 'VU', retailClients: random.below(2) === 0 },
    ],
    licenses: createLicenses(story, slug),
    warnings: random.below(2) === 0 ? createWarnings(story) : [],
    licensesCheckedAt: random.below(6) === 0 ? null : '2026-10-01T00:00:00Z',
    checklist: ['fees', 'leverage', 'ownership'].map((key) => ({ key, met: random.below(2) === 0 })),
  });
};
const importBroker: RecordedEvent = (story) =>
  importRow(story, 'brokers', createBroker(story, story.random.pick(BROKERS)));
const importPart: RecordedEvent = (story) => {
  const { random } = story;
  const part = random.pick([
    { name: `Name ${random.below(9)}` },
    { country: random.pick(['GB', 'IE', 'CY']) },
    { foundedYear: 1990 + random.below(20) },
    { licensesCheckedAt: '2026-10-29T00:00:00Z' },
    { status: random.pick(['operating', 'operating', 'operating', 'ceased', 'suspected_clone']) },
  ]);
  return importRow(story, 'brokers', { slug: pickSlug(story), ...part });
};
const importRegulator: RecordedEvent = (story) =>
  importRow(
    story,
    'regulators',
    regulatorRow(story.random.pick(['zz-one', 'zz-two']), { tier: 1 + story.random.below(4) }),
  );
const importNews: RecordedEvent = (story) =>
  importRow(story, 'news', newsRow(story.random.below(4), { title: `Title ${story.random.below(3)}` }));
const checkRegister: RecordedEvent = async ({ service, scratch, random }) => {
  const lines = [3, 4, 5, 6]
    .filter(() => random.below(3) > 0)
    .map(
      (n) => `AFS Licence,90${n},${(BROKERS.find(({ length }) => length === n) ?? 'x').toUpperCase()} LTD,,01/02/2010,`,
    );
  const file = await scratch.write('afs_lic.csv', `${[ASIC_HEADER, ...lines].join('\r\n')}\r\n`);
  const day = random.pick(['2026-10-28', '2026-10-29', '2026-10-30']);
  const options = ['--as-of', day, '--apply', '--json'];
  return hasHappened(await service.cli('license', 'check', '--register', 'asic', file, '--least', '1', ...options));
};
const undoRun: RecordedEvent = async ({ service, runs, random }) => {
  if (runs.length === 0) return false;
  const run = random.pick(runs);
  return hasHappened(await service.cli('import', 'undo', run, '--yes', run));
};
const rename: RecordedEvent = async (story) => {
  const { service, slugs, random } = story;
  const key = random.pick([...slugs.keys()]);
  story.count += 1;
  const to = `${key}-${story.count}`;
  const isDone = hasHappened(await service.cli('broker', 'rename', slugs.get(key) as string, to));
  if (isDone) slugs.set(key, to);
  return isDone;
};
const merge: RecordedEvent = async (story) => {
  const [from, into] = story.random.shuffled([...story.slugs.keys()]) as [string, string];
  const slugs = [story.slugs.get(from), story.slugs.get(into)] as [string, string];
  const isDone = hasHappened(await story.service.cli('broker', 'merge', slugs[0], '--into', slugs[1]));
  if (isDone) story.merged.add(slugs[0]);
  return isDone;
};
const split: RecordedEvent = async ({ service, merged, random }) => {
  if (merged.size === 0) return false;
  const slug = random.pick([...merged]);
  const isDone = hasHappened(await service.cli('broker', 'split', slug));
  if (isDone) merged.delete(slug);
  return isDone;
};
const submit = async (story: Story, path: string, body: object): Promise<Record<string, string> | undefined> => {
  const response = await post(story.service, path, story.random.pick([...story.tokens.values()]), body);
  return response.status === 201 ? ((await response.json()) as Record<string, string>) : undefined;
};
const submitReview: RecordedEvent = async (story) => {
  const { random, service, reviews } = story;
  const text = { title: `Title ${random.below(99)}`, rating: 1 + random.below(17) / 4 };
  const created = await submit(story, '/reviews', reviewBody(pickSlug(story), text));
  if (!created) return false;
  if (random.below(5) > 0) await moderate(service, 'publish', created['id'] as string);
  reviews.push(created['id'] as string);
  return true;
};
const moveReview: RecordedEvent = async ({ service, random, reviews }) => {
  if (reviews.length === 0) return false;
  const id = random.pick(reviews);
  const move = random.pick([
    ['remove', id, '--reason', 'not_a_review'],
    ['withdraw', id, '--reason', 'author_request'],
    ['publish', id],
    ['reply', id, '--content', `Dear customer ${random.below(9)}`],
    ['reply', id, '--remove'],
  ]);
  return hasHappened(await service.cli('review', ...move));
};
const complain: RecordedEvent = async (story) => {
  const { service, random } = story;
  story.count += 1;
  const created = await submit(
    story,
    '/complaints',
    complaintBody(pickSlug(story), { title: `Complaint ${story.count}` }),
  );
  if (!created) return false;
  const steps = [
    ['screen'],
    ['forward'],
    ['answer', '--text', 'We looked into it.'],
    random.pick([
      ['resolve', '--outcome', 'refunded'],
      ['close', '--outcome', 'rejected_by_broker'],
    ]),
  ];
  for (const [step, ...options] of steps.slice(0, random.pick([1, 3, 4, 4, 4])))
    succeeded(await service.cli('complaint', step as string, created['reference'] as string, ...options));
  return true;
};
const erase: RecordedEvent = async ({ service, tokens, random }) => {
  const subject = random.pick([...tokens.keys()]);
  const isDone = hasHappened(await service.cli('account', 'erase', subject, '--yes', subject, '--reason', 'requested'));
  const token = await createToken(service, `${subject}-`);
  tokens.delete(subject);
  tokens.set(`${subject}-`, token);
  return isDone;
};
const recordDay: RecordedEvent = async ({ service }) =>
  hasHappened(await service.cli('admin', 'job', 'run', 'record-day'));

/** The events of a story, each with its frequency. */
const EVENTS: Readonly<Record<string, readonly [number, RecordedEvent]>> = {
  importBroker: [10, importBroker],
  importPart: [8, importPart],
  importRegulator: [4, importRegulator],
  importNews: [4, importNews],
  checkRegister: [3, checkRegister],
  undoRun: [5, undoRun],
  rename: [3, rename],
  merge: [5, merge],
  split: [4, split],
  review: [36, submitReview],
  moveReview: [16, moveReview],
  complain: [8, complain],
  erase: [3, erase],
};

/** The service at the end of its story. */
export interface PlayedStory {
  readonly service: ServiceProcess;
  /** Number of times that each event happened. */
  readonly happened: Readonly<Record<string, number>>;
  readonly remove: () => Promise<void>;
}

/** Lets a service live for some days. The same seed gives the same story. */
export const playStory = async (seed: number, scratch: Scratch): Promise<PlayedStory> => {
  const random = createRandom(seed);
  const names = random.shuffled(
    Object.entries(EVENTS).flatMap(([name, [times]]) => Array(times).fill(name) as string[]),
  );
  const settings = (date: string) => ({ LOG_LEVEL: 'error', CLOCK: storyDay(date).clock });
  const first = await startProcess(settings(DATES[0] as string));
  const story: Story = {
    random,
    scratch,
    service: first,
    runs: [],
    slugs: new Map(),
    merged: new Set(),
    tokens: new Map(),
    reviews: [],
    count: 0,
  };
  const counts: Record<string, number> = {};
  const remove = async (): Promise<void> => {
    await story.service.end('SIGINT');
    await first.remove();
  };
  try {
    for (const person of PEOPLE) story.tokens.set(person, await createToken(first, person));
    await importRows(
      first,
      'regulators',
      ['zz-one', 'zz-two'].map((code) => regulatorRow(code)),
    );
    for (const slug of BROKERS) {
      story.slugs.set(slug, slug);
      await importRows(first, 'brokers', [createBroker(story, slug)]);
    }
    for (const [at, date] of DATES.entries()) {
      if (at > 0) {
        await story.service.end('SIGINT');
        const main = date < UPDATED ? bin : LATER_RELEASE;
        story.service = await startProcess({ ...first.data, ...settings(date) }, [], main);
      }
      await recordDay(story);
      const share = Math.ceil(names.length / DATES.length);
      for (const name of names.slice(at * share, (at + 1) * share)) {
        const isDone = await (EVENTS[name] as [number, RecordedEvent])[1](story);
        counts[name] = (counts[name] ?? 0) + (isDone ? 1 : 0);
      }
      await readRecord(story.service);
    }
    return { service: story.service, happened: counts, remove };
  } catch (error) {
    await remove();
    throw new Error(`seed ${seed}`, { cause: error });
  }
};
