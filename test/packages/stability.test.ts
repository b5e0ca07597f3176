import { expect, test } from 'vitest';
import { findChanges, makeOpenApiReports, makeTypeReports, TYPED } from './reports.ts';

const CURE = `This changes what is published: "-" is gone or was different, and breaks code that uses it; "+" is new. Undo it; or, if it
is meant, run \`npx -y pnpm accept-api\`, which rewrites test/packages/reports, and say in a changeset what users should do.
`;

const SLOW = 180_000; // the compiler reads a package

test.each(TYPED)(
  'the entries of the %s are those of the kept reports',
  async (name) => {
    expect(await findChanges(name, await makeTypeReports(name)), CURE).toEqual([]);
  },
  SLOW,
);

test('the OpenAPI documents are those of the kept reports', async () => {
  expect(await findChanges('openapi', makeOpenApiReports()), CURE).toEqual([]);
});
