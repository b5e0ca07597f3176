import { existsSync, readFileSync } from 'node:fs';
import type { ApiPart, GuideEntry, Library } from '@broker-transparency/portal';
import { lazy } from '../platform/lazy.ts';

/**
 * The texts and documents of the site. A start reads none of them.
 * @param folder the folder into which `pnpm generate` writes the texts
 */
export const createLibrary = (folder: URL, apis: readonly ApiPart[]): Library => {
  const guides = lazy((): GuideEntry[] => JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')));
  return {
    guides,
    guide: (name) => {
      const file = new URL(`${name}.html`, folder);
      if (!guides().some((guide) => guide.name === name) || !existsSync(file)) return undefined;
      return readFileSync(file, 'utf8');
    },
    apis: () => apis,
  };
};
