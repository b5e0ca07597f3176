import { writeFileSync } from 'node:fs';
import { openSloYaml } from './openslo.ts';

writeFileSync(new URL('../../docs/enterprise/service-level.openslo.yaml', import.meta.url), openSloYaml());
