import type { Page } from './page.ts';
import { broker } from './pages/broker.ts';
import { DOCS_PAGES } from './pages/docs/pages.ts';
import { home } from './pages/home.ts';

/** Every page of the site. */
export const PAGES: readonly Page[] = [home, broker, ...DOCS_PAGES];
