import { auditedChange, type FieldChange } from '../../ledger/audit/fields.rule.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { BY_EDITORS, planStatement } from '../../ledger/statements/record.ts';
import {
  overruleProperty,
  type PropertyClaim,
  type StatementSource,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findBrokerChanges } from './actions.ts';
import { brokerFacts, type KnownBroker, readKnownBrokers, recordPlanned, toAuditedState } from './known.ts';
import { endOverrules } from './overrule.rule.ts';
import { findDeciders } from './resolve.rule.ts';

/** An editors' decision to overrule a source in a field. Without a reason, it ends the overrule. */
interface Ruling {
  readonly field: string;
  readonly source: StatementSource;
  readonly reason: string | null;
  readonly dryRun?: boolean;
}

/** @throws DomainError not_found if there is nothing to overrule, or no overrule to end */
const buildOverrules = ({ subject, candidates }: KnownBroker, { field, source, reason }: Ruling): PropertyClaim[] => {
  const [key, see] = [sourceKey(source), `See: fact show broker ${subject.name}`];
  if (reason === null) {
    const ended = endOverrules(candidates, field, key);
    if (ended.length > 0) return ended;
    throw new DomainError('not_found', `${key} is not overruled in "${field}": there is nothing to end. ${see}`);
  }
  const deciders = findDeciders(candidates, field, key);
  if (deciders.size === 0) throw new DomainError('not_found', `${key} says nothing of "${field}". ${see}`);
  return [...deciders].map(([property, value]) => {
    const overrule = { property, source, value };
    return { property: overruleProperty(overrule), value: { ...overrule, reason } };
  });
};

/**
 * Records the editors' decision not to publish a source's value of a field, or ends that decision. Returns the changed
 * fields. A dry run writes nothing.
 * @throws DomainError not_found if the broker, the source's value or the decision to end is missing; invalid_input if a
 *   needed field would have no value left
 */
export const overruleBroker = (
  context: Context,
  slug: string,
  { field, source, reason, dryRun = false }: Ruling,
): Promise<FieldChange[]> =>
  inTransaction(context, async (c) => {
    const known = (await readKnownBrokers([slug], c.tx)).get(slug);
    if (!known?.state) throw new DomainError('not_found', `No broker has the slug "${slug}".`);
    const said = buildOverrules(known, { field, source, reason });
    const planned = planStatement(brokerFacts, known, said, { origin: BY_EDITORS, asOf: c.now });
    if (planned.after === null)
      throw new DomainError(
        'invalid_input',
        `Nobody else says a "${field}", which every broker needs: import the right one.`,
      );
    const changes = findBrokerChanges(planned);
    if (dryRun) return changes;
    const recorded = await recordPlanned(c, planned, { cause: 'correction', run: null, batch: null });
    if (!recorded) return [];
    const change = auditedChange(toAuditedState(recorded.before), toAuditedState(recorded.after));
    const ruling = { field, source: sourceKey(source) };
    c.audit(
      'broker.overruled',
      { kind: 'broker', id: known.subject.name },
      {
        before: { ...change.before, ...ruling, overruled: reason === null },
        after: { ...change.after, ...ruling, overruled: reason !== null },
        reason: 'operator_command',
      },
    );
    return changes;
  });
