import type { PrivatePage } from '../page.ts';
import { showCase } from './case.ts';
import { report } from './report.ts';

/** Pages of people without an account: a report of a review, and a case behind a link. */
export const CASE_PAGES: readonly PrivatePage[] = [report, showCase];
