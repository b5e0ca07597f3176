import { writeFileSync } from 'node:fs';
import { DASHBOARD_FILE, dashboardText } from './dashboard.ts';

writeFileSync(DASHBOARD_FILE, dashboardText());
