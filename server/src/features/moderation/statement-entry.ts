import { hash, randomBytes } from 'node:crypto';
import type { DecisionKind, StatementOfReasons, StatementOpening } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import { canonicalJson } from '@broker-transparency/log';
import type { TxContext } from '../../ledger/context.ts';

/** A decision, as far as its entry in the record tells of it. */
interface StatedDecision {
  readonly broker: string;
  readonly kind: DecisionKind;
  readonly statement: StatementOfReasons;
}

/** Returns the hash that binds an entry to a statement. */
const commitTo = (statement: StatementOfReasons, salt: Buffer): string =>
  hash('sha256', Buffer.concat([salt, Buffer.from(canonicalJson(statement))]), 'base64');

/** Adds a statement of reasons to the record, without its text. Returns what opens the entry. */
export const publishStatement = (c: TxContext, { broker, kind, statement }: StatedDecision): StatementOpening => {
  const key = entryKey('statement', randomBytes(12).toString('hex'));
  const salt = randomBytes(32);
  const { reasonCode, ground, origin, automatedMeans } = statement;
  const value = {
    broker,
    decision: kind,
    reasonCode,
    ground,
    origin,
    automatedMeans,
    commitment: commitTo(statement, salt),
  };
  c.publish({ kind: 'statement', key, subject: key, value, cause: 'fact' });
  return { key, salt: salt.toString('base64') };
};
