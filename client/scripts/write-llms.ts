import { writeFile } from 'node:fs/promises';
import { llmsFiles } from './llms.ts';

for (const [name, text] of Object.entries(await llmsFiles()))
  await writeFile(new URL(`../${name}`, import.meta.url), text);
