import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** A file that pages load. Its address changes with its bytes, so callers may keep it for ever. */
export interface Asset {
  readonly path: string;
  readonly plain: Buffer;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the files of a folder that pages load, by name. */
export const readAssets = (folder: URL): ReadonlyMap<string, Asset> =>
  new Map(
    readdirSync(folder).map((name) => {
      const plain = readFileSync(new URL(name, folder));
      const extension = extname(name);
      const version = hash('sha256', plain, 'base64url').slice(0, 10);
      const path = `/assets/${name.slice(0, -extension.length)}.${version}${extension}`;
      return [name, { path, plain, type: TYPES[extension] ?? 'application/octet-stream' }];
    }),
  );
