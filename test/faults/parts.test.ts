import { testFaults } from './gate.ts';

testFaults([
  ['Redis stopped (SIGSTOP)', { lasts: 2000 }],
  ['service killed (-9), started again', {}],
]);
