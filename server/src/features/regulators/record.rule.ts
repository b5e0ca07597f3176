import { Protections, Regulator, Text } from '@broker-transparency/contract';
import * as z from 'zod';

/** A regulator in an import, one per row, identified by its code. */
export const RegulatorRecord = z.strictObject({
  ...Regulator.omit({ brokerCount: true, registerReadAt: true, stale: true }).shape,
  name: Text(1, 200),
  tierReason: Text(20, 1000),
  protections: z.strictObject(Protections.shape),
  sources: Regulator.shape.sources.min(1),
});
export type RegulatorRecord = z.infer<typeof RegulatorRecord>;

/**
 * The stored facts of a regulator, without the computed ones: the number of its brokers, and the mark of an old check.
 */
export type RegulatorState = Omit<Regulator, 'code' | 'brokerCount' | 'stale'> & { readonly _id: string };
