import type { AuditEntry } from '../audit/store.ts';
import type { TxContext } from '../context.ts';
import { auditedContest } from './audited.rule.ts';
import type { ContestedFact } from './statement.rule.ts';

/** A statement that is about to be recorded, and the published facts that it contradicts. */
interface ContestedStatement {
  readonly known: { readonly subject: { readonly name: string } };
  readonly overruled: readonly ContestedFact[];
  readonly draft: unknown;
}

/** Notes in the audit trail which recorded statements are kept, but not published, since a stronger source differs. */
export const auditContradictions = (
  c: TxContext,
  { action, kind }: Pick<AuditEntry, 'action'> & Pick<AuditEntry['subject'], 'kind'>,
  statements: readonly ContestedStatement[],
  reason: string,
): void => {
  for (const { known, overruled, draft } of statements)
    if (draft && overruled.length > 0)
      c.audit(action, { kind, id: known.subject.name }, { ...auditedContest(overruled), reason });
};
