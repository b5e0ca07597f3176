import type { PrivatePage } from '../page.ts';
import { ANSWER_PAGES } from './answer-pages.ts';
import { disputePage } from './dispute-page.ts';

/** Pages for brokers. */
export const DISPUTE_PAGES: readonly PrivatePage[] = [disputePage, ...ANSWER_PAGES];
