import type { PrivatePage } from '../page.ts';
import { complaintPage } from './complaint.ts';
import { DATA_PAGES } from './data.ts';
import { mailPage } from './mail.ts';
import { overview } from './overview.ts';
import { reportPage } from './report.ts';
import { REVIEW_PAGES } from './review.ts';
import { sessionsPage } from './sessions.ts';

/** Pages about what a person wrote, and what is kept of them. */
export const MINE_PAGES: readonly PrivatePage[] = [
  overview,
  ...REVIEW_PAGES,
  complaintPage,
  reportPage,
  mailPage,
  sessionsPage,
  ...DATA_PAGES,
];
