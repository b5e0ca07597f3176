import { expect, test } from 'vitest';
import { brokenAnswers, brokenTypes, TYPED } from './promises.ts';

const CURE = `This breaks users of the last release. Keep it working; or, if the break is meant, run
\`npx -y pnpm accept-break\`: it rewrites test/packages/released and writes a changeset. Commit both.
`;

const SLOW = 180_000; // the compiler runs twice after a change

test.each(TYPED)(
  'the types of the %s keep what the last release promised',
  async (name) => {
    expect(await brokenTypes(name), CURE).toEqual([]);
  },
  SLOW,
);

test('the API keeps what the last release promised', async () => {
  expect(await brokenAnswers(), CURE).toEqual([]);
});
