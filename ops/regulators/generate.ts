import { writeFileSync } from 'node:fs';
import { PAGE_FILE, renderPage } from './page.ts';
import { formatSources, SOURCES_FILE } from './sources.ts';

writeFileSync(PAGE_FILE, renderPage());
writeFileSync(SOURCES_FILE, formatSources());
