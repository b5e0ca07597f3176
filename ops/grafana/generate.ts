import { writeFileSync } from 'node:fs';
import { DASHBOARD_FILE, renderDashboard } from './dashboard.ts';

writeFileSync(DASHBOARD_FILE, renderDashboard());
