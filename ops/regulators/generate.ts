import { writeFileSync } from 'node:fs';
import { PAGE_FILE, pageText } from './page.ts';
import { SOURCES_FILE, sourcesText } from './sources.ts';

writeFileSync(PAGE_FILE, pageText());
writeFileSync(SOURCES_FILE, sourcesText());
