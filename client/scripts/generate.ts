import { writeFile } from 'node:fs/promises';
import { openSloYaml } from '@broker-transparency/contract/service-level';
import { generatedFiles } from './files.ts';
import { VERIFY_PAGE, verifyPage } from './verify-page.ts';

for (const [name, source] of Object.entries(await generatedFiles()))
  await writeFile(new URL(`../src/generated/${name}`, import.meta.url), source);

await writeFile(VERIFY_PAGE, await verifyPage());

await writeFile(new URL('../../docs/enterprise/service-level.openslo.yaml', import.meta.url), openSloYaml());
