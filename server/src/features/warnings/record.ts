import type { TxContext } from '../../ledger/context.ts';
import {
  type FactModel,
  type KnownSubject,
  planStatement,
  readKnownSubjects,
  recordStatements,
  type StoredStatement,
  type WriteCause,
  withdrawStatements,
} from '../../ledger/statements/record.ts';
import { findContested, isSame, listRanked } from '../../ledger/statements/statement.rule.ts';
import { endMatches } from './matching.ts';
import * as store from './store.ts';
import type { WarningChange, WarningList, WarningState } from './warning.rule.ts';

/** The property under which a list states a warning. */
const STATED = 'warning';

/**
 * The model by which warnings follow from statements of authorities. Only warnings about a broker are published, with
 * the broker.
 */
const warningFacts: FactModel<WarningState> = {
  kind: 'warning',
  read: (ids, tx) => store.readWarnings(tx.db, ids, tx),
  write: store.replaceWarnings,
  createId: (id) => id,
  resolve: ({ name }, candidates) => {
    const [first] = listRanked(candidates, STATED);
    const state = first ? ({ _id: name, ...(first.value as object) } as WarningState) : null;
    return { state, contested: findContested(candidates, [STATED]) };
  },
  entries: () => [],
};

/** Returns the facts of a warning for the audit trail. Names of people can be among its names. */
const toAuditFacts = (state: WarningState | null) =>
  state && {
    source: state.source,
    authority: state.authority.code ?? state.authority.name,
    publishedAt: state.publishedAt,
    withdrawnAt: state.withdrawnAt,
    mentionsClone: state.mentionsClone,
    names: state.names.length,
    victims: state.victims.length,
    domains: state.domains.length,
    licenseNumbers: state.licenseNumbers.length,
    leis: state.leis.length,
  };

/** Records the changes of a reading of a list. */
export const recordChanges = async (
  c: TxContext,
  changes: readonly WarningChange[],
  list: Pick<WarningList, 'asOf' | 'url' | 'credit'>,
  { reason, ...occasion }: WriteCause & { readonly reason: string },
): Promise<void> => {
  const known = await readKnownSubjects(
    warningFacts,
    changes.map(({ state }) => state._id),
    c.tx,
  );
  const planned = changes.map(({ state: { _id, ...value } }) => {
    const origin = {
      source: { kind: 'authority', name: value.authority.name } as const,
      url: list.url,
      credit: list.credit,
      validFrom: value.withdrawnAt ?? value.publishedAt ?? value.publishedBy,
    };
    const said = [{ property: STATED, value }];
    return planStatement(warningFacts, known.get(_id) as KnownSubject<WarningState>, said, {
      origin,
      asOf: new Date(list.asOf),
    });
  });
  const recorded = await recordStatements(c, warningFacts, planned, occasion);
  for (const { known: one, before, after } of recorded)
    if (!isSame(before, after))
      c.audit(
        'warning.recorded',
        { kind: 'warning', id: one.subject.name },
        {
          before: toAuditFacts(before),
          after: toAuditFacts(after),
          reason,
        },
      );
};

/**
 * Withdraws a run's statements about warnings, and the publications of those that nothing else states. The other
 * warnings have to be matched again.
 */
export const withdrawWarnings = async (
  c: TxContext,
  statements: readonly StoredStatement[],
  reason: string,
): Promise<void> => {
  const recorded = await withdrawStatements(c, warningFacts, statements, async () => {});
  for (const { known, before, after } of recorded)
    c.audit(
      'warning.recorded',
      { kind: 'warning', id: known.subject.name },
      {
        before: toAuditFacts(before),
        after: toAuditFacts(after),
        reason,
      },
    );
  const gone = recorded.flatMap(({ before, after }) => (before !== null && after === null ? [before] : []));
  await endMatches(c, gone, reason);
};
