import type {
  BrokersListQuery,
  BrokerUpdates,
  Client,
  ComplaintSubmission,
  ListCall,
  ReviewSubmission,
  WriteOptions,
} from '@broker-transparency/client';
import { checkLog } from './audit.ts';
import { checkScore } from './check.ts';
import { checkFolder, getAll } from './enterprise.ts';
import { buildFromAnswer } from './failures.ts';
import { checkMonth, getMonth } from './service-level.ts';
import * as show from './show.ts';
import { showMonth, showMonthCopy } from './show-month.ts';
import { toJson } from './table.ts';
import { type Signature, UsageError, type Values } from './usage.ts';
import { checkProof, type Sources, textIn } from './verify.ts';

/** The output of a command. */
interface CommandOutput {
  /** Printed before everything else, piece by piece, as the answers arrive. */
  readonly pieces?: AsyncIterable<string>;
  /** Printed with `--json`. */
  readonly answer?: unknown;
  /** Builds the text for people. It runs only on demand, so that an incomplete answer can still be printed as JSON. */
  readonly text?: () => string;
  /** True if a check failed. */
  readonly differs?: boolean;
}

interface CommandInput extends Sources {
  readonly client: Client;
  /** Address of the API, if one is named. */
  readonly base: string | undefined;
  /** Address of the API: the named one, or that of `pnpm start`. */
  readonly anyBase: string;
  /** The key of a customer. */
  readonly customerKey: string | undefined;
  /** The words after the command, joined. */
  readonly given: string;
  readonly values: Values;
  /** Prints a line that is no result. */
  readonly note: (line: string) => void;
}

export interface Command extends Signature {
  readonly about: string;
  readonly run: (asked: CommandInput) => Promise<CommandOutput>;
}

interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly pagination: { readonly offset?: number; readonly total?: number; readonly nextCursor?: string | null };
  readonly updates?: BrokerUpdates | undefined;
}

/** Returns which slugs to drop, and how to get later changes. */
const formatUpdates = ({ next, more, gone }: BrokerUpdates): string =>
  `${gone.length === 0 ? '' : `\nGone: ${gone.join(', ')}`}\n${more ? 'More' : 'Later changes'}: --updated-since ${next}`;

/** Returns a hint on how to get the next page, or nothing at the end of the list. */
const formatNextHint = ({ data, pagination, updates }: ListPage<unknown>): string => {
  if (updates) return formatUpdates(updates);
  const { offset = 0, total = 0, nextCursor } = pagination;
  const seen = offset + data.length;
  if (nextCursor) return `\nMore: --cursor ${nextCursor}, or --all`;
  return seen < total && data.length > 0 ? `\n${seen} of ${total}. More: --offset ${seen}, or --all` : '';
};

/** The largest page of the API. */
const LARGEST_PAGE = 100;

/** Yields the items of a list in groups of one length. The last one may be shorter, and an empty list is one group. */
async function* groupItems<Item>(items: AsyncIterable<Item>, length: number): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  let isEmpty = true;
  for await (const item of items) {
    group.push(item);
    isEmpty = false;
    if (group.length < length) continue;
    yield group;
    group = [];
  }
  if (isEmpty || group.length > 0) yield group;
}

/** Yields items as a JSON document. */
async function* toJsonPieces(groups: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '{\n  "data": [';
  for await (const group of groups) {
    const items = group.map((item) => `\n    ${toJson(item).replaceAll('\n', '\n    ')}`);
    yield before + items.join();
    before = ',';
  }
  yield '\n  ]\n}\n';
}

async function* toTextPieces<Item>(
  groups: AsyncIterable<readonly Item[]>,
  shown: (items: readonly Item[]) => string,
): AsyncGenerator<string> {
  for await (const group of groups) yield `${buildFromAnswer(() => shown(group))}\n`;
}

/** Returns one page of a list, or the whole list with `--all`, which is printed as it is read. */
const readList = async <Item>(
  list: (limit: number | undefined) => ListCall<ListPage<Item>, Item>,
  { all, json, limit }: Values,
  shown: (items: readonly Item[]) => string,
): Promise<CommandOutput> => {
  if (all) {
    const length = limit ?? LARGEST_PAGE;
    const groups = groupItems(list(length), length);
    return { pieces: json ? toJsonPieces(groups) : toTextPieces(groups, shown) };
  }
  const page = await list(limit);
  return { answer: page, text: () => shown(page.data) + formatNextHint(page) };
};

/**
 * Reads a body from a JSON file.
 * @throws UsageError if the file cannot be read or is not JSON
 */
const readJsonBody = async <Body>(file: string, read: CommandInput['read']): Promise<Body> => {
  const source = file === '-' ? 'the standard input' : file;
  const text = await textIn(file, read);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source} is not JSON: ${(error as Error).message}`);
  }
};

const toWriteOptions = ({ 'idempotency-key': idempotencyKey }: Values): WriteOptions => ({ idempotencyKey });

export const COMMANDS: Readonly<Record<string, Command>> = {
  search: {
    argument: 'WORDS…',
    about: 'finds the 20 brokers that match best',
    run: async ({ client, given }) => {
      const answer = await client.search({ q: given });
      return { answer, text: () => show.showBrokers(answer.data) };
    },
  },
  list: {
    about: 'lists brokers, best score or newest change first',
    options: [
      'color',
      'country',
      'regulator',
      'status',
      'residence',
      'license',
      'warnings',
      'sort',
      'slugs',
      'updated-since',
      'limit',
      'offset',
      'all',
    ],
    run: ({ client, values }) => {
      const { color, country, regulator, status, residence, slugs, 'updated-since': updatedSince, offset } = values;
      if (values.all && updatedSince !== undefined)
        throw new UsageError('--all does not go with --updated-since: each page says where to go on');
      const query = {
        color: color as BrokersListQuery['color'],
        country,
        regulator,
        status: status as BrokersListQuery['status'],
        residence,
        license: values.license as BrokersListQuery['license'],
        warnings: values.warnings as BrokersListQuery['warnings'],
        sort: values.sort as BrokersListQuery['sort'],
        slugs: slugs?.split(','),
        updatedSince,
        offset,
      };
      return readList((limit) => client.brokers.list({ ...query, limit }), values, show.showBrokers);
    },
  },
  get: {
    argument: 'SLUG',
    about: 'shows one broker, with its score taken apart',
    run: async ({ client, given }) => {
      const answer = await client.brokers.get(given);
      return { answer, text: () => show.showBroker(answer) };
    },
  },
  check: {
    argument: 'SLUG',
    about: 'recomputes the score of a broker from its answer, and says what differs',
    run: async ({ client, given }) => {
      const broker = await client.brokers.get(given);
      const answer = buildFromAnswer(() => checkScore(broker));
      return { answer, text: () => show.showCheck(answer), differs: !answer.matches };
    },
  },
  verify: {
    argument: 'FILE',
    about: 'verifies a proof, a publication, or the file of a review or a decision: a file, - or an address',
    options: ['policy', 'key'],
    run: async ({ given, values, read, fetch }) => {
      const answer = await checkProof(given, values, { read, fetch });
      return { answer, text: () => show.showProof(answer), differs: !answer.verified };
    },
  },
  audit: {
    argument: 'URL',
    about: 'downloads the log at an address, and recomputes every score of every day from it',
    options: ['policy', 'key', 'since', 'sample'],
    run: async (asked) => {
      const answer = await checkLog(asked);
      return { answer, text: () => show.showAudit(answer), differs: !answer.sound };
    },
  },
  'enterprise get': {
    argument: 'DIR',
    about: 'for customers: copies everything that is published to a folder, or brings the copy up to date',
    options: ['policy', 'key'],
    run: async ({ anyBase: base, ...asked }) => {
      const answer = await getAll({ ...asked, base });
      return { answer, text: () => show.showCopy(answer), differs: !answer.sound };
    },
  },
  'enterprise check': {
    argument: 'DIR',
    about: 'verifies such a copy, without asking anybody',
    options: ['policy', 'key'],
    run: async ({ anyBase: base, ...asked }) => {
      const answer = await checkFolder({ ...asked, base });
      return { answer, text: () => show.showFolder(answer), differs: !answer.sound };
    },
  },
  'service-level get': {
    argument: 'MONTH DIR',
    about: 'downloads what probers signed in a month, and what the record says of it',
    options: ['policy', 'key'],
    run: async (asked) => {
      const answer = await getMonth(asked);
      return { answer, text: () => showMonthCopy(answer), differs: answer.missing.length > 0 };
    },
  },
  'service-level check': {
    argument: 'DIR',
    about: 'recomputes the service level of a month from what probers signed, without asking anybody',
    options: ['policy', 'key', 'month', 'only', 'prober-key'],
    run: async (asked) => {
      const answer = await checkMonth(asked);
      return { answer, text: () => showMonth(answer), differs: !answer.fits };
    },
  },
  regulators: {
    about: 'lists all regulators',
    run: async ({ client }) => {
      const answer = await client.regulators.list();
      return { answer, text: () => show.showRegulators(answer.data) };
    },
  },
  regulator: {
    argument: 'CODE',
    about: 'shows one regulator, with all the brokers it regulates',
    run: async ({ client, given }) => {
      const answer = await client.regulators.get(given);
      return { answer, text: () => show.showRegulator(answer) };
    },
  },
  reviews: {
    argument: 'SLUG',
    about: 'lists published reviews of a broker, newest first',
    options: ['limit', 'cursor', 'all'],
    run: ({ client, given, values }) => {
      const { cursor } = values;
      return readList((limit) => client.reviews.list({ broker: given, limit, cursor }), values, show.showReviews);
    },
  },
  news: {
    about: 'lists industry news, newest first',
    options: ['limit', 'cursor', 'all'],
    run: ({ client, values }) => {
      const { cursor } = values;
      return readList((limit) => client.news.list({ limit, cursor }), values, show.showNews);
    },
  },
  'submit-review': {
    argument: 'FILE',
    about: 'submits a review from JSON; - is the standard input',
    options: ['idempotency-key'],
    run: async ({ client, given, values, read }) => {
      const answer = await client.reviews.create(
        await readJsonBody<ReviewSubmission>(given, read),
        toWriteOptions(values),
      );
      return { answer, text: () => show.showSubmitted(answer) };
    },
  },
  'submit-complaint': {
    argument: 'FILE',
    about: 'submits a complaint from JSON',
    options: ['idempotency-key'],
    run: async ({ client, given, values, read }) => {
      const answer = await client.complaints.create(
        await readJsonBody<ComplaintSubmission>(given, read),
        toWriteOptions(values),
      );
      return { answer, text: () => show.showSubmitted(answer) };
    },
  },
};
