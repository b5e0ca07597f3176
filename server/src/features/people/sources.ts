import type { SubjectKind } from '../../ledger/audit/actions.ts';
import type { PersonalDataSource } from '../../ledger/define-module.ts';
import { FEATURE_MODULES } from '../modules.ts';

/**
 * Loads every source of personal data. Accounts come first: without an account nothing new can be written. A feature
 * comes before those that it needs: its data is found by theirs.
 */
export const loadSources = (): Promise<PersonalDataSource[]> => {
  const accountsFirst = FEATURE_MODULES.toReversed().sort(
    (a, b) => Number(b.name === 'accounts') - Number(a.name === 'accounts'),
  );
  return Promise.all(accountsFirst.flatMap(({ personalData }) => personalData?.() ?? []));
};

/** Kinds of subjects in the audit trail that belong to people: those of the features that hold data about people. */
export const SUBJECTS_OF_PEOPLE = FEATURE_MODULES.flatMap(({ personalData, subjects = [] }) =>
  personalData ? subjects : [],
) as SubjectKind[];
