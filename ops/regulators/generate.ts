import { writeFileSync } from 'node:fs';
import { PAGE_FILE, pageText } from './page.ts';

writeFileSync(PAGE_FILE, pageText());
