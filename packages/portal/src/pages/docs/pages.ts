import type { Page } from '../../page.ts';
import { callPage } from './call.ts';
import { guide } from './guide.ts';
import { docsIndex, operatingIndex } from './index.ts';
import { problem, problems } from './problems.ts';
import { reference, references } from './reference.ts';
import { docsHeadings, docsSearch } from './search.ts';

/** Pages about using the service. A service for customers only has these alone. */
export const DOCS_PAGES: readonly Page[] = [
  docsIndex,
  operatingIndex,
  docsSearch,
  docsHeadings,
  references,
  reference,
  callPage,
  guide,
  problems,
  problem,
];
