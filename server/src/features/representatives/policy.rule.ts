/** Days for which the code that went to the address of a register can be used. */
export const CODE_LASTS_DAYS = 14;

/** Most people who answer for one broker at a time, including those who have not used their code yet. */
export const MOST_REPRESENTATIVES = 10;

/** Reasons for which a person answers for a broker no more. */
const ENDINGS = {
  by_operator: 'an operator ended it',
  by_person: 'the person gave it up',
  code_unused: 'nobody used the code in time',
  declined: 'the second operator did not confirm the address',
  person_erased: 'the account of the person was erased',
} as const;
export type Ending = keyof typeof ENDINGS;
