import { writeFileSync } from 'node:fs';
import { openSloYaml } from '@broker-transparency/kernel';

writeFileSync(new URL('../../docs/enterprise/service-level.openslo.yaml', import.meta.url), openSloYaml());
