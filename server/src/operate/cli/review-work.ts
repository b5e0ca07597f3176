import { GIVEN_REASON_CODES, REASONS, type ReasonCode } from '@broker-transparency/contract';
import { decideReview, type MovingVerdict } from '../../features/moderation/actions.ts';
import type { QueueFilter } from '../../features/moderation/queue.ts';
import { openTerminal, type ReviewTerminal, type TerminalReview } from '../../features/moderation/terminal.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { ABORT, END, type KeyReader, openKeys } from './keys.ts';
import { toReviewLines } from './review-text.ts';

/** Milliseconds for which a decision can be taken back, unless the next one comes first. */
const HELD_MS = 60_000;

/** The keys of the reason codes, in the order of the list. */
const REASON_KEYS: ReadonlyMap<string, ReasonCode> = new Map(
  GIVEN_REASON_CODES.map((code, at) => [String(at + 1), code]),
);

const HELP = [
  'p  publish                       r  reject: then a number, the reason',
  'n  a note of yours, for the author, before p or r',
  's  skip: it stays in the queue   u  take the last decision back',
  'q  quit; the last decision is written   Ctrl-C  quit; it is not written',
];

const PROMPT = '[p]ublish [r]eject [s]kip [n]ote [u]ndo [q]uit [?] ';

/** Where somebody works: a terminal, or a pipe. */
export interface WorkStreams {
  readonly input: Parameters<typeof openKeys>[0];
  readonly output: NodeJS.WritableStream & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
}

interface PendingDecision {
  readonly review: TerminalReview;
  readonly verdict: MovingVerdict;
}

/** The decisions made at a terminal. */
export interface WorkCounts {
  published: number;
  rejected: number;
  skipped: number;
}

interface WorkSession {
  readonly context: Context;
  readonly terminal: ReviewTerminal;
  readonly keys: KeyReader;
  readonly say: (line: string) => void;
  readonly write: (text: string) => void;
  readonly size: { readonly columns: number; readonly rows: number };
  readonly worked: WorkCounts;
  /** The last decision, as long as it can be taken back: nobody else knows of it yet. */
  held: PendingDecision | undefined;
  /** Reviews that this terminal holds and shows next. */
  readonly before: TerminalReview[];
  readonly notes: Map<string, string>;
}

type WorkStep = 'next' | 'again' | 'quit' | 'abort';

/** Writes the decision that can be taken back until then. One that somebody else was faster with is named. */
const writePending = async (work: WorkSession): Promise<void> => {
  const { held } = work;
  if (!held) return;
  work.held = undefined;
  try {
    await decideReview(work.context, held.review.id, held.verdict);
    work.worked[held.verdict.kind === 'publish' ? 'published' : 'rejected']++;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    work.say(`Not written: ${error.message}`);
  }
};

/** Waits for a key. A decision is written once nobody takes it back for a minute. */
const nextKey = async (work: WorkSession): Promise<string> => {
  const key = await work.keys.next(work.held ? HELD_MS : undefined);
  if (key !== undefined) return key;
  await writePending(work);
  return nextKey(work);
};

/** Shows a review, page by page where it is longer than the terminal: only what was shown can be decided. */
const show = async (work: WorkSession, review: TerminalReview): Promise<WorkStep> => {
  const lines = toReviewLines(review, work.size.columns);
  work.say('─'.repeat(Math.min(work.size.columns, 72)));
  const page = Math.max(5, work.size.rows - 4);
  for (let from = 0; from < lines.length; from += page) {
    for (const line of lines.slice(from, from + page)) work.say(line);
    if (from + page >= lines.length) break;
    work.keys.forget();
    for (;;) {
      work.write('space: more  s: skip  q: quit ');
      const key = await nextKey(work);
      work.write('\n');
      if (key === ' ' || key === '\r') break;
      if (key === ABORT) return 'abort';
      if (key === 'q' || key === END) return 'quit';
      if (key === 's') return skip(work, review);
    }
  }
  work.keys.forget();
  return 'again';
};

const skip = async (work: WorkSession, { id }: TerminalReview): Promise<WorkStep> => {
  await work.terminal.release(id);
  work.worked.skipped++;
  return 'next';
};

/** Holds a decision, and writes the one before. */
const decide = async (
  work: WorkSession,
  review: TerminalReview,
  verdict: Omit<MovingVerdict, 'note'>,
): Promise<WorkStep> => {
  await writePending(work);
  const note = work.notes.get(review.id);
  work.held = { review, verdict: { ...verdict, ...(note === undefined ? {} : { note }) } };
  work.say(verdict.kind === 'publish' ? 'publish' : `reject: ${verdict.reasonCode}`);
  return 'next';
};

/** Asks for a note. Returns whether there is one now. */
const readNote = async (work: WorkSession, { id }: TerminalReview): Promise<boolean | 'abort' | 'quit'> => {
  work.write('Note, which the author reads: ');
  const text = await work.keys.line(work.write);
  if (text === ABORT) return 'abort';
  if (text === END) return 'quit';
  const note = text.trim();
  if (note.length >= 3 && note.length <= 2000) {
    work.notes.set(id, note);
    return true;
  }
  work.say('No note: it needs 3 to 2000 characters.');
  return false;
};

const reject = async (work: WorkSession, review: TerminalReview): Promise<WorkStep> => {
  work.say('Why? Another key goes back.');
  for (const [key, code] of REASON_KEYS) work.say(`  ${key}  ${code.padEnd(22)}${REASONS[code].description}`);
  const key = await nextKey(work);
  if (key === ABORT) return 'abort';
  if (key === END) return 'quit';
  const reasonCode = REASON_KEYS.get(key);
  if (reasonCode === undefined) {
    work.say('Not rejected.');
    return 'again';
  }
  if (REASONS[reasonCode].needsNote && !work.notes.has(review.id)) {
    const noted = await readNote(work, review);
    if (noted === 'abort' || noted === 'quit') return noted;
    if (!noted) return 'again';
  }
  return decide(work, review, { kind: 'reject', reasonCode });
};

/** Puts the last decision back before it is written, and shows that review again. */
const undo = (work: WorkSession, review: TerminalReview): WorkStep => {
  if (!work.held) {
    work.say('There is no decision that can be taken back: the one before is written, and only an appeal changes it.');
    return 'again';
  }
  work.before.push(review, work.held.review);
  work.held = undefined;
  return 'next';
};

const askDecision = async (work: WorkSession, review: TerminalReview): Promise<WorkStep> => {
  work.write(PROMPT);
  const key = await nextKey(work);
  work.write('\n');
  switch (key) {
    case 'p':
      return decide(work, review, { kind: 'publish' });
    case 'r':
      return reject(work, review);
    case 's':
      return skip(work, review);
    case 'u':
      return undo(work, review);
    case 'n': {
      const noted = await readNote(work, review);
      return noted === 'abort' || noted === 'quit' ? noted : 'again';
    }
    case 'q':
    case END:
      return 'quit';
    case ABORT:
      return 'abort';
    default:
      for (const line of HELP) work.say(line);
      return 'again';
  }
};

/** Shows one review and asks until something becomes of it. */
const handleReview = async (work: WorkSession, review: TerminalReview): Promise<WorkStep> => {
  let step = await show(work, review);
  while (step === 'again') step = await askDecision(work, review);
  return step;
};

/** Gives back what was not decided. */
const releaseReviews = async (work: WorkSession, reviews: readonly TerminalReview[]): Promise<void> => {
  for (const { id } of reviews)
    await work.terminal.release(id).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error; // withdrawn, or its time ran out: nothing is to give back
    });
};

const runSession = async (work: WorkSession): Promise<void> => {
  for (;;) {
    const review = work.before.pop() ?? (await work.terminal.next());
    if (!review && work.held) {
      // nothing is left to show, so the last decision is asked for once more
      work.write('That was the last one. u takes it back, any other key ends. ');
      const key = await nextKey(work);
      work.write('\n');
      if (key === 'u' && work.held) {
        work.before.push(work.held.review);
        work.held = undefined;
        continue;
      }
      if (key !== ABORT) await writePending(work);
    }
    if (!review) break;
    const step = await handleReview(work, review);
    if (step === 'next') continue;
    await releaseReviews(work, [review, ...work.before]);
    if (step === 'quit') await writePending(work);
    break;
  }
  if (work.held) {
    work.say(`Not written: the decision on ${work.held.review.id}.`);
    await releaseReviews(work, [work.held.review]);
  }
};

/**
 * Shows the reviews that wait, one after the other, and does what a key says. A decision is written when the next one
 * is made, after a minute, or at the end; until then it can be taken back. What was not shown is never decided.
 */
export const workThrough = async (
  context: Context,
  filter: QueueFilter,
  { input, output }: WorkStreams,
): Promise<WorkCounts & { readonly waiting: number }> => {
  const terminal = await openTerminal(context, filter);
  const write = (text: string): void => void output.write(text);
  const keys = openKeys(input);
  const rows = output.isTTY && input.isTTY ? (output.rows ?? 24) : Number.POSITIVE_INFINITY;
  const work: WorkSession = {
    context,
    terminal,
    keys,
    write,
    say: (line) => write(`${line}\n`),
    size: { columns: Math.min(output.columns ?? 80, 100), rows },
    worked: { published: 0, rejected: 0, skipped: 0 },
    held: undefined,
    before: [],
    notes: new Map(),
  };
  try {
    work.say(`${await terminal.waiting()} wait. ? explains the keys.`);
    await runSession(work);
    return { ...work.worked, waiting: await terminal.waiting() };
  } finally {
    keys.close();
  }
};
