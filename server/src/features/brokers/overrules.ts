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

/** A decision of editors on what a source says of a field. Without a reason, it is taken back. */
interface Ruling {
  readonly field: string;
  readonly source: StatementSource;
  readonly reason: string | null;
  readonly dryRun?: boolean;
}

/** @throws DomainError not_found if there is nothing to overrule, or to take back */
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
 * Records the decision of editors not to publish what a source says of a field, or takes it back. Returns the fields
 * that change. A dry run writes nothing.
 * @throws DomainError not_found if there is no such broker, the source says nothing of the field, or there is no such
 *   decision to take back; invalid_input if nothing could be published without it
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
