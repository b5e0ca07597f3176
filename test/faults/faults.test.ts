import { testFaults } from './gate.ts';

testFaults([
  ['primary killed (-9)', {}],
  ['primary stopped (SIGSTOP), writes in flight', { lasts: 8000 }],
  ['primary cut off from the members alone', { lasts: 8000 }],
]);
