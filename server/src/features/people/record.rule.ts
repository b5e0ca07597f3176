import { scryptSync } from 'node:crypto';
import * as z from 'zod';
import { ERASURE_REASONS, type ErasureReason } from './policy.rule.ts';

/** What is kept of a person who was erased: enough to find them again in a restored backup, and to know them by name. */
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

/** Slow on purpose: a subject may be an address, which could be guessed. */
export const hashSubject = (subject: string): string =>
  scryptSync(subject, 'broker-rating erasure', 32).toString('hex');

/** Reads the list. Lines that cannot be read, such as one cut off by a full disk, are named by number. */
export const readLines = (text: string): { erasures: Erasure[]; unreadable: number[] } => {
  const erasures: Erasure[] = [];
  const unreadable: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const erasure = readLine(line);
    if (erasure) erasures.push(erasure);
    else unreadable.push(index + 1);
  }
  return { erasures, unreadable };
};

const readLine = (line: string): Erasure | undefined => {
  try {
    return Erasure.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
};
