import type { OperatorStatement } from '../operator-settings.ts';

const CONTACT = 'contact@demo.example';

/** Who operates the demo: nobody, and each part says so. Only a demo for which nothing is set has it. */
const FICTIONAL_OPERATOR: OperatorStatement = {
  name: 'Demo Ratings Ltd (fictional: this firm does not exist)',
  address: '1 Fictional Street, 00000 Nowhere (fictional)',
  country: 'GB',
  contact: CONTACT,
  representative: undefined,
  editor: undefined,
  register: 'Register of a demo, number 0 (fictional)',
  vatId: undefined,
  supervisor: undefined,
  privacyContact: CONTACT,
  correctionsContact: CONTACT,
  correctionsDays: 14,
  securityContact: CONTACT,
  funding: 'Nobody pays for this demo: its operator, brokers and customers are fictional.',
  terms: undefined,
};

/** Returns the operator that a demo shows: the one that is set, or a fictional one. */
export const findDemoOperator = (operator: OperatorStatement): OperatorStatement =>
  Object.values(operator).every((part) => part === undefined) ? FICTIONAL_OPERATOR : operator;
