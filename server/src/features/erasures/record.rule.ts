import { scryptSync } from 'node:crypto';
import * as z from 'zod';
import { ERASURE_REASONS, type ErasureReason } from './policy.rule.ts';

/** The stored remains of an erased person: enough to recognise them in a restored backup or by their subject. */
export const Erasure = z.strictObject({
  accountId: z.string().min(1),
  subjectHash: z.string().regex(/^[0-9a-f]{64}$/),
  personHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  reason: z.enum(Object.keys(ERASURE_REASONS) as [ErasureReason, ...ErasureReason[]]),
  erasedAt: z.iso.datetime().transform((text) => new Date(text)),
});
export type Erasure = z.output<typeof Erasure>;

/** Hashes a subject slowly, because a subject may be an e-mail address, which could be guessed. */
export const hashSubject = (subject: string): string =>
  scryptSync(subject, 'broker-rating erasure', 32).toString('hex');

/** A line of the list with the time up to which the list is complete. */
const Complete = z.strictObject({ completeAt: z.iso.datetime().transform((text) => new Date(text)) });

const Line = z.union([Erasure, Complete]);

/** The parsed list. */
export interface ErasureList {
  readonly erasures: readonly Erasure[];
  /** Time up to which the list is known to be complete; undefined if no line states it. */
  readonly completeAt: Date | undefined;
  /** Numbers of the lines that cannot be read, such as one that a full disk cut off. */
  readonly unreadable: readonly number[];
}

/** Reads the list. */
export const readLines = (text: string): ErasureList => {
  const erasures: Erasure[] = [];
  const unreadable: number[] = [];
  let completeAt: Date | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (read === undefined) unreadable.push(index + 1);
    else if (!('completeAt' in read)) erasures.push(read);
    const at = read && ('completeAt' in read ? read.completeAt : read.erasedAt);
    if (at && (completeAt === undefined || at > completeAt)) completeAt = at;
  }
  return { erasures, completeAt, unreadable };
};

const readLine = (line: string): z.output<typeof Line> | undefined => {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};
