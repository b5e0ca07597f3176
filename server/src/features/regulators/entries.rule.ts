import { entryKey } from '@broker-transparency/contract/record';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { RegulatorState } from './record.rule.ts';

/** Returns the subject under which everything about a regulator is found in the record. */
const regulatorSubject = (code: string): string => entryKey('regulator', code);

/** Returns the entry that says what is published of a regulator. */
export const regulatorEntries = (code: string, state: RegulatorState | null): EntryDraft[] => {
  if (state === null) return [];
  const { _id, lastVerifiedAt, ...fields } = state;
  return [
    { kind: 'regulator', key: regulatorSubject(code), subject: regulatorSubject(code), value: { code, ...fields } },
  ];
};
