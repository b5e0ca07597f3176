import { expect, test } from 'vitest';
import { FEATURE_MODULES } from './modules.ts';

test.each(FEATURE_MODULES.map(({ name, needs = [] }, at) => ({ name, needs, at })))(
  '$name stands after the features that it needs',
  ({ needs, at }) => {
    const before = FEATURE_MODULES.slice(0, at).map(({ name }) => name);
    expect(before).toEqual(expect.arrayContaining([...needs]));
  },
);
