import type { TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import * as store from './store.ts';

/** The reason in the audit trail of every change of operators. */
export const REASON = 'operator_command';

export const subject = (id: string) => ({ kind: 'operator', id }) as const;

export const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/** @throws DomainError not_found */
export const requireOperator = async (c: TxContext, name: string): Promise<store.OperatorDocument> => {
  const found = await store.findOperator(c.db, name, c.tx);
  if (found && !found.endedAt) return found;
  throw new DomainError(
    'not_found',
    found ? `${name} is no longer an operator.` : `No operator is called "${name}". See: operator list`,
  );
};
