import {
  type FactCandidates,
  listOverrules,
  overruleProperty,
  type PropertyClaim,
  type StatementSource,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import {
  findLicenseDeciders,
  parseLicenseName,
  resolveHolderNames,
  toFindingProperty,
  toRenamedProperty,
} from './licenses.rule.ts';
import type { LicenseRecord } from './record.rule.ts';

/**
 * Returns the editors' claims that end their overrule of a source in a field, even if the source's claim has since
 * changed or gone. Empty if there is no overrule.
 */
export const endOverrules = (candidates: FactCandidates, field: string, source: string): PropertyClaim[] => {
  const own = listOverrules(candidates).filter((one) => sourceKey(one.source) === source);
  const stated = own.map(
    ({ property, value }) => [property, { ...parseLicenseName(property), ...(value as object) }] as const,
  );
  const ofLicenses = findLicenseDeciders(stated, field, resolveHolderNames(candidates).toCurrentName);
  return own
    .filter(({ property }) => property === field || ofLicenses.has(property))
    .map((one) => ({ property: overruleProperty(one) }));
};

/** A register's claim about a licence. */
interface LicenseClaim {
  readonly license: LicenseRecord;
  readonly status: LicenseRecord['status'];
  readonly newName?: string | undefined;
}

/** Returns two flags: true if editors overruled the register's claim of this state, or of this new name. */
export const findLicenseOverrule = (candidates: FactCandidates, register: StatementSource, said: LicenseClaim) => {
  const { regulatorCode, referenceNumber, entity } = said.license;
  const name = { regulatorCode, referenceNumber, holder: entity.legalName };
  const isOverruled = (property: string, part: string, value: unknown): boolean =>
    (candidates.get(property) ?? []).some(
      (one) =>
        one.overruled !== undefined &&
        sourceKey(one.source) === sourceKey(register) &&
        (one.value as Record<string, unknown>)[part] === value,
    );
  return {
    status: isOverruled(toFindingProperty(name), 'status', said.status),
    name: isOverruled(toRenamedProperty(name), 'newName', said.newName),
  };
};
