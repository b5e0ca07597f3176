import { auditedChange } from '../../ledger/audit/fields.rule.ts';
import type { TxContext } from '../../ledger/context.ts';
import type { Circumstances, Occasion } from '../../ledger/statements/record.ts';
import { isSame } from '../../ledger/statements/statement.rule.ts';
import { auditedState, type KnownBroker, recordSaid } from './known.ts';
import { warningProperty } from './provenance.rule.ts';
import type { BrokerRecord } from './record.rule.ts';

/** Records that a warning of an authority's list is about a broker, and how; null: the list says nothing of it. */
export const recordWarning = async (
  c: TxContext,
  known: KnownBroker,
  { id, value }: { readonly id: string; readonly value: BrokerRecord['warnings'][number] | null },
  { reason, ...circumstances }: Circumstances & { readonly occasion: Occasion; readonly reason: string },
): Promise<void> => {
  const property = warningProperty(id);
  const recorded = await recordSaid(c, known, [{ property, ...(value === null ? {} : { value }) }], circumstances);
  if (!recorded || isSame(recorded.before, recorded.after)) return;
  const change = auditedChange(auditedState(recorded.before), auditedState(recorded.after));
  c.audit('broker.warned', { kind: 'broker', id: known.subject.name }, { ...change, reason });
};
