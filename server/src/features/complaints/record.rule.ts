import { Text } from '@broker-transparency/contract';
import * as z from 'zod';
import { EVIDENCE_KINDS } from './policy.rule.ts';

/** A reference to evidence that is kept elsewhere. The service stores no files. */
export const ComplaintEvidence = z.strictObject({
  kind: z.enum(EVIDENCE_KINDS, `must be one of ${EVIDENCE_KINDS.join(', ')}`),
  reference: Text(1, 500),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')
    .optional(),
  note: Text(1, 1000).optional(),
});
export type ComplaintEvidence = z.infer<typeof ComplaintEvidence>;

/** The text of a broker's answer. */
export const AnswerText = Text(1, 20_000);
