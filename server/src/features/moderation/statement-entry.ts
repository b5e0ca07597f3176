import { hash, randomBytes } from 'node:crypto';
import type { StatementOpening } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import { canonicalJson } from '@broker-transparency/log';
import type { TxContext } from '../../ledger/context.ts';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { RecordSource } from '../../ledger/record/source.ts';
import { type DecisionDocument, findOpened, nextOpened } from './store.ts';

/** A decision, as far as its entry in the record tells of it. */
type StatedDecision = Pick<DecisionDocument, 'reviewId' | 'broker' | 'kind' | 'statement'>;

/** Returns the hash that binds an entry to a decision about a review, with its reasons. */
const commitTo = ({ reviewId, kind, statement }: StatedDecision, salt: string): string =>
  hash(
    'sha256',
    Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(canonicalJson({ reviewId, decision: kind, statement }))]),
    'base64',
  );

const toStatementEntry = (decision: StatedDecision, { key, salt }: StatementOpening): EntryDraft<'statement'> => {
  const { broker, kind, statement } = decision;
  const { reasonCode, ground, origin, automatedMeans } = statement;
  const commitment = commitTo(decision, salt);
  const value = { broker, decision: kind, reasonCode, ground, origin, automatedMeans, commitment };
  return { kind: 'statement', key, subject: key, value };
};

/** Adds a statement of reasons to the record, without its text. Returns what opens the entry. */
export const publishStatement = (c: TxContext, decision: StatedDecision): StatementOpening => {
  const opening = {
    key: entryKey('statement', randomBytes(12).toString('hex')),
    salt: randomBytes(32).toString('base64'),
  };
  c.publish({ ...toStatementEntry(decision, opening), cause: 'fact' });
  return opening;
};

/** Ends the entries of statements that an erasure deletes. */
export const endStatements = (c: TxContext, decisions: readonly Pick<DecisionDocument, 'opening'>[]): void => {
  for (const { opening } of decisions)
    if (opening)
      c.publish({ kind: 'statement', key: opening.key, subject: opening.key, value: null, cause: 'erasure' });
};

/** The entries that the record must have of statements, by their names. */
export const statementSource: RecordSource = {
  kinds: ['statement'],
  next: nextOpened,
  entries: async (names, tx) => {
    const keys = names.map((name) => entryKey('statement', name));
    return (await findOpened(keys, tx)).flatMap((decision) =>
      decision.opening ? [toStatementEntry(decision, decision.opening)] : [],
    );
  },
};
