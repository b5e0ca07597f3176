import { writeFileSync } from 'node:fs';
import { PAGE, readPage } from './page.ts';

writeFileSync(PAGE, readPage().wanted);
