import { auditedChange } from '../../ledger/audit/fields.rule.ts';
import type { TxContext } from '../../ledger/context.ts';
import type { StatementContext, WriteCause } from '../../ledger/statements/record.ts';
import { isSame } from '../../ledger/statements/statement.rule.ts';
import { type KnownBroker, recordClaims, toAuditedState } from './known.ts';
import { toWarningProperty } from './provenance.rule.ts';
import type { BrokerRecord } from './record.rule.ts';

/** Records that a warning of an authority's list is about a broker; null withdraws that statement. */
export const recordWarning = async (
  c: TxContext,
  known: KnownBroker,
  { id, value }: { readonly id: string; readonly value: BrokerRecord['warnings'][number] | null },
  { reason, ...circumstances }: StatementContext & { readonly occasion: WriteCause; readonly reason: string },
): Promise<void> => {
  const property = toWarningProperty(id);
  const recorded = await recordClaims(c, known, [{ property, ...(value === null ? {} : { value }) }], circumstances);
  if (!recorded || isSame(recorded.before, recorded.after)) return;
  const change = auditedChange(toAuditedState(recorded.before), toAuditedState(recorded.after));
  c.audit('broker.warned', { kind: 'broker', id: known.subject.name }, { ...change, reason });
};
