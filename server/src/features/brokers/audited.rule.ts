import { keyMembers } from '../../ledger/audit/fields.rule.ts';
import { type StatementSource, sourceKey } from '../../ledger/statements/statement.rule.ts';
import type { LicenseRecord, ProfileDocument } from './record.rule.ts';

type AuditedProfile = Omit<ProfileDocument, '_id' | 'id'>;

/**
 * Returns the facts of a broker for comparison in the audit trail: members of lists by their keys, and the order of
 * those lists whose order is published.
 */
export const toAuditedBroker = (profile: AuditedProfile, licenses: readonly LicenseRecord[]) => {
  const entities = keyMembers(profile.entities, (entity) => entity.legalName);
  const warnings = keyMembers(profile.warnings, (warning) => warning.url);
  const provenance = keyMembers(profile.provenance, ({ fact, sourceUrl, statedBy }) =>
    statedBy ? `${fact} by ${sourceKey(statedBy as StatementSource)}` : `${fact} ${sourceUrl}`,
  );
  return {
    ...profile,
    checklist: keyMembers(profile.checklist, (item) => item.key),
    entities,
    warnings,
    provenance,
    order: { entities: Object.keys(entities), warnings: Object.keys(warnings), provenance: Object.keys(provenance) },
    licenses: keyMembers(
      licenses,
      ({ regulatorCode, referenceNumber, entity }) => `${regulatorCode} ${referenceNumber} ${entity.legalName}`,
    ),
  };
};
