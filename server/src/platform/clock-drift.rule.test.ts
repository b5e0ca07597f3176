import { expect, test } from 'vitest';
import { explainDrift } from './clock-drift.rule.ts';

test.each([
  [0, undefined],
  [30, undefined],
  [-30, undefined],
  [30.6, /^The clock of this machine is 31 s ahead of that of the database: set both right by NTP\./],
  [-86_400, /^The clock of this machine is 86400 s behind that of the database/],
])('a clock that is %d s ahead', (seconds, fault) => {
  if (fault === undefined) expect(explainDrift(seconds)).toBeUndefined();
  else expect(explainDrift(seconds)).toMatch(fault);
});
