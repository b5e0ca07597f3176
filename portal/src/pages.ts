import type { Page } from './page.ts';
import { badge } from './pages/badge.ts';
import { broker } from './pages/broker.ts';
import { DOCS_PAGES } from './pages/docs/pages.ts';
import { embed } from './pages/embed.ts';
import { forMachines } from './pages/for-machines.ts';
import { home } from './pages/home.ts';

/** Pages that people read. */
const READ: readonly Page[] = [home, broker, badge, embed, ...DOCS_PAGES];

/** Every page of the site. */
export const PAGES: readonly Page[] = [...READ, ...forMachines(READ)];
