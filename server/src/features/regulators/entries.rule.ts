import { entryKey } from '@broker-transparency/contract/record';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { RegulatorState } from './record.rule.ts';

/** Returns the subject of all entries about a regulator in the record. */
const toRegulatorSubject = (code: string): string => entryKey('regulator', code);

/** Returns the record's entry of the published facts of a regulator. */
export const toRegulatorEntries = (code: string, state: RegulatorState | null): EntryDraft[] => {
  if (state === null) return [];
  const { _id, lastVerifiedAt, registerReadAt, ...fields } = state;
  return [
    { kind: 'regulator', key: toRegulatorSubject(code), subject: toRegulatorSubject(code), value: { code, ...fields } },
  ];
};
