import { mkdir, rm, writeFile } from 'node:fs/promises';
import { ASSETS, siteAssets } from './assets.ts';
import { GUIDES, siteGuides } from './guides.ts';

for (const [folder, files] of [
  [ASSETS, await siteAssets()],
  [GUIDES, siteGuides()],
] as const) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(`${folder}${name}`, text);
}
