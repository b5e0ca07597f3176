import { CASE_PAGES } from './case/pages.ts';
import { DESK_PAGES } from './desk/pages.ts';
import { DISPUTE_PAGES } from './dispute/pages.ts';
import { FOLLOW_PAGES } from './follow/pages.ts';
import { MINE_PAGES } from './mine/pages.ts';
import type { PrivatePage } from './page.ts';
import { SIGN_IN_PAGES } from './sign-in/pages.ts';
import { WRITE_PAGES } from './write/pages.ts';

/** Every private page of the site. */
export const PRIVATE_PAGES: readonly PrivatePage[] = [
  ...SIGN_IN_PAGES,
  ...FOLLOW_PAGES,
  ...WRITE_PAGES,
  ...MINE_PAGES,
  ...CASE_PAGES,
  ...DISPUTE_PAGES,
  ...DESK_PAGES,
];
