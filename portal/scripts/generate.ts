import { mkdir, rm, writeFile } from 'node:fs/promises';
import { ASSETS, siteAssets } from './assets.ts';

const files = await siteAssets();
await rm(ASSETS, { recursive: true, force: true });
await mkdir(ASSETS, { recursive: true });
for (const [name, text] of Object.entries(files)) await writeFile(`${ASSETS}${name}`, text);
