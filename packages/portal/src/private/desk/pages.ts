import type { PrivatePage } from '../page.ts';
import { casePage } from './case.ts';
import { inboxPage } from './inbox.ts';

/** Pages for operators. */
export const DESK_PAGES: readonly PrivatePage[] = [inboxPage, casePage];
