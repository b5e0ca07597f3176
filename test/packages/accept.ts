import { acceptReports } from './reports.ts';

/** `npx -y pnpm accept-api`: accepts what `stability.test.ts` refuses. */
await acceptReports();
console.log('test/packages/reports has what is published from now on.');
