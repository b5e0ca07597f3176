import { writeFileSync } from 'node:fs';
import { renderStatusPage, STATUS_FILE } from './status-page.ts';

writeFileSync(STATUS_FILE, renderStatusPage());
