import { afterAll, beforeAll } from 'vitest';
import { testFaults } from './gate.ts';
import { type Stage, startStage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage?.stop());

testFaults(
  () => stage,
  [
    ['primary killed (-9)', {}],
    ['primary stopped (SIGSTOP), writes in flight', { lasts: 8000 }],
    ['primary cut off from the members alone', { lasts: 8000 }],
  ],
);
