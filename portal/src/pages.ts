import type { Page } from './page.ts';
import { badge } from './pages/badge.ts';
import { broker } from './pages/broker.ts';
import { check } from './pages/check.ts';
import { embed } from './pages/embed.ts';
import { forMachines } from './pages/for-machines.ts';
import { home } from './pages/home.ts';

/** Pages that people read. */
const READ: readonly Page[] = [home, broker, badge, check, embed];

/** Every page of the site. */
export const PAGES: readonly Page[] = [...READ, ...forMachines(READ)];
