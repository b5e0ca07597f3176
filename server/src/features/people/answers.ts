import { deleteStoredAnswers, findStoredAnswers } from '../../http/request/idempotency.ts';
import type { PersonalDataSource } from '../../ledger/define-module.ts';

/** Stored answers to POSTs, which repeat the texts that were sent. */
export const answerData: PersonalDataSource = {
  name: 'idempotentAnswers',
  held: async ({ accountIds }, tx) => ({ answers: await findStoredAnswers(accountIds, tx) }),
  erase: ({ tx }, { accountIds }, limit) => deleteStoredAnswers(accountIds, limit, tx),
};
