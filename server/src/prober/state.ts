import { join } from 'node:path';
import * as z from 'zod';
import { readIfThere, replaceFile } from './files.ts';

const Whole = z.int().min(-1);

/** The state that a prober keeps from one minute to the next. */
const State = z.object({
  feed: z.object({ after: Whole, end: Whole }).optional(),
  ends: z.array(z.object({ minute: Whole, end: Whole })).default([]),
  log: z.object({ size: Whole, root: z.string() }).optional(),
  /** The minute of the last canary. */
  mark: z.string().optional(),
  /** The endpoint that the service sends webhooks to. Its secret makes this file private. */
  webhook: z.object({ id: z.string(), url: z.string(), secret: z.string() }).optional(),
  /** The first minute in which the service knew this prober. */
  knownIn: z.string().optional(),
  /** Number of lines of each day that the service has; -1 if it accepts no more of the day. */
  given: z.record(z.string(), Whole).default({}),
});
/** The state that a prober keeps from one minute to the next. */
export type ProberState = z.infer<typeof State>;

/** Reads the state. An unreadable state is dropped, since results are stored elsewhere. */
export const readState = async (dir: string): Promise<ProberState> => {
  const text = await readIfThere(join(dir, 'state.json'));
  try {
    return State.parse(JSON.parse(text ?? '{}'));
  } catch {
    return State.parse({});
  }
};

export const writeState = (dir: string, state: ProberState): Promise<void> =>
  replaceFile(join(dir, 'state.json'), `${JSON.stringify(state)}\n`);
