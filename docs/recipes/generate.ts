import { writeFile } from 'node:fs/promises';
import { currentPage } from './page.ts';

await writeFile(new URL('README.md', import.meta.url), (await currentPage()).now);
