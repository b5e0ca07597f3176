import type { Provenance } from '@broker-transparency/contract';
import { entryKey } from '@broker-transparency/contract/record';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import { toPublishedSlug } from '../../ledger/statements/identity.rule.ts';
import { hashToHex } from '../../platform/sha256.rule.ts';
import type { BrokerRecord, BrokerState, LicenseDocument } from './record.rule.ts';

/** Returns the subject of all entries about a broker in the record. */
const toBrokerSubject = (broker: string): string => entryKey('broker', broker);

/** Returns the key of a licence in the record. Its holder is part of the value: a firm can be renamed. */
export const toLicenseEntryKey = (
  broker: string,
  { regulatorCode, referenceNumber }: Pick<LicenseDocument, 'regulatorCode' | 'referenceNumber'>,
): string => entryKey('license', broker, regulatorCode, referenceNumber);

/** Returns a source without the times of checks, and without descriptions and reasons, which people write. */
const toRecordedSource = ({ lastVerifiedAt, contradicted, ...source }: Provenance) => ({
  ...source,
  ...(contradicted && {
    contradicted: contradicted.map(({ asOf, says, overruledBecause, ...other }) =>
      other.field === 'description' ? other : { ...other, says },
    ),
  }),
});

const toProfileDraft = (broker: string, { profile }: BrokerState): EntryDraft => {
  const { _id, identity, description, licensesCheckedAt, checklist, warnings, provenance, ...fields } = profile;
  const { predecessors, merged } = identity ?? {};
  return {
    kind: 'broker',
    key: toBrokerSubject(broker),
    subject: toBrokerSubject(broker),
    value: {
      ...fields,
      slug: toPublishedSlug({ name: _id, identity }),
      checked: licensesCheckedAt !== null,
      checklist: checklist.map(({ checkedAt, ...item }) => item),
      provenance: provenance.map(toRecordedSource),
      ...(predecessors && { predecessors }),
      ...(merged && { merged }),
    },
    texts: description === '' ? {} : { description },
  };
};

/** Returns the latest known start of the holders' status. */
const findStatusSince = (licenses: readonly LicenseDocument[]): string | undefined =>
  licenses
    .flatMap(({ statusEffectiveAt }) => statusEffectiveAt ?? [])
    .sort()
    .at(-1);

const toLicenseDraft = (
  broker: string,
  [first, ...others]: readonly [LicenseDocument, ...LicenseDocument[]],
): EntryDraft => {
  const all = [first, ...others];
  const validFrom = findStatusSince(all);
  return {
    kind: 'license',
    key: toLicenseEntryKey(broker, first),
    subject: toBrokerSubject(broker),
    value: {
      broker,
      regulator: first.regulatorCode,
      number: first.referenceNumber,
      holders: all.map(({ _id, broker: _, regulatorCode, referenceNumber, entity, lastVerifiedAt, ...license }) => ({
        ...license,
        ...entity,
      })),
    },
    ...(validFrom === undefined ? {} : { validFrom }),
  };
};

/** Returns the key of the entry of a warning, from the broker's key and the address of the warning. */
export const toWarningEntryKey = (broker: string, url: string): string =>
  entryKey('warning', broker, hashToHex(url).slice(0, 16));

const toWarningDraft = (broker: string, warning: BrokerRecord['warnings'][number]): EntryDraft => ({
  kind: 'warning',
  key: toWarningEntryKey(broker, warning.url),
  subject: toBrokerSubject(broker),
  value: { broker, ...warning },
  validFrom: warning.withdrawnAt ?? warning.publishedAt,
});

/** Returns the record's entries of the published facts of a broker. */
export const toBrokerEntries = (broker: string, state: BrokerState | null): EntryDraft[] => {
  if (state === null) return [];
  const licenses = Map.groupBy(state.licenses, (license) => toLicenseEntryKey(broker, license));
  return [
    toProfileDraft(broker, state),
    ...[...licenses.values()].map((same) => toLicenseDraft(broker, same as [LicenseDocument, ...LicenseDocument[]])),
    ...state.profile.warnings.map((warning) => toWarningDraft(broker, warning)),
  ];
};
