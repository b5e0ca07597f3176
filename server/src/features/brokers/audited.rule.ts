import { keyed } from '../../ledger/audit/fields.rule.ts';
import { type Source, sourceKey } from '../../ledger/statements/statement.rule.ts';
import type { LicenseRecord, ProfileDocument } from './record.rule.ts';

type Profile = Omit<ProfileDocument, '_id' | 'id'>;

/**
 * The facts of a broker as the audit trail compares them: members of lists by what identifies them, and the order of
 * the lists that are published in it.
 */
export const auditedBroker = (profile: Profile, licenses: readonly LicenseRecord[]) => {
  const entities = keyed(profile.entities, (entity) => entity.legalName);
  const warnings = keyed(profile.warnings, (warning) => warning.url);
  const provenance = keyed(profile.provenance, ({ fact, sourceUrl, statedBy }) =>
    statedBy ? `${fact} by ${sourceKey(statedBy as Source)}` : `${fact} ${sourceUrl}`,
  );
  return {
    ...profile,
    checklist: keyed(profile.checklist, (item) => item.key),
    entities,
    warnings,
    provenance,
    order: { entities: Object.keys(entities), warnings: Object.keys(warnings), provenance: Object.keys(provenance) },
    licenses: keyed(
      licenses,
      ({ regulatorCode, referenceNumber, entity }) => `${regulatorCode} ${referenceNumber} ${entity.legalName}`,
    ),
  };
};
