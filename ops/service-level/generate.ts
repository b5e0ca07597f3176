import { writeFileSync } from 'node:fs';
import { openSloYaml } from '../../contract/src/service-level.ts';

writeFileSync(new URL('../../docs/enterprise/service-level.openslo.yaml', import.meta.url), openSloYaml());
