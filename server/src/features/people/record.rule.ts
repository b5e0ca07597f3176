import { scryptSync } from 'node:crypto';
import * as z from 'zod';
import { ERASURE_REASONS, type ErasureReason } from './policy.rule.ts';

/** What remains of an erased person: enough to find them again in a restored backup or by their subject. */
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

/** Reads the list. Returns the numbers of lines that cannot be read, such as one that a full disk cut off. */
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
