import { writeFileSync } from 'node:fs';
import { PAGE_FILE, renderPage } from './page.ts';
import { SOURCES_FILE, sourcesText } from './sources.ts';

writeFileSync(PAGE_FILE, renderPage());
writeFileSync(SOURCES_FILE, sourcesText());
