import type { Page } from '../../page.ts';
import { callPage } from './call.ts';
import { guide } from './guide.ts';
import { docsIndex } from './index.ts';
import { problem, problems } from './problems.ts';
import { reference, references } from './reference.ts';
import { docsHeadings, docsSearch } from './search.ts';

/** The pages that say how the service is used. A service that serves customers alone has these, and no others. */
export const DOCS_PAGES: readonly Page[] = [
  docsIndex,
  docsSearch,
  docsHeadings,
  references,
  reference,
  callPage,
  guide,
  problems,
  problem,
];
