import { readFile, writeFile } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { defineConfig, type Options } from 'tsup';

/** Replaces the absolute paths that tsup writes into maps of CommonJS files: they are of the machine that built them. */
const relativeMaps: NonNullable<Options['plugins']>[number] = {
  name: 'relative-maps',
  buildEnd: async ({ writtenFiles }) => {
    for (const { name } of writtenFiles.filter(({ name }) => name.endsWith('.cjs.map'))) {
      const map = JSON.parse(await readFile(name, 'utf8')) as { readonly sources: readonly string[] };
      const sources = map.sources.map((source) => (isAbsolute(source) ? basename(source) : source));
      await writeFile(name, JSON.stringify({ ...map, file: basename(name, '.map'), sources }));
    }
  },
};

export default defineConfig({
  entry: [
    'src/index.ts',
    'src/account.ts',
    'src/enterprise.ts',
    'src/record.ts',
    'src/score.ts',
    'src/strict.ts',
    'src/testing.ts',
    'src/verify.ts',
    'src/verify/node.ts',
  ],
  format: ['esm', 'cjs'],
  splitting: true,
  dts: true,
  clean: true,
  sourcemap: true,
  plugins: [relativeMaps],
  external: ['@broker-transparency/client'],
  // the arithmetic of scores is brought along; of the contract's other parts the entries only say that they need them
  noExternal: ['@broker-transparency/contract/score', '@broker-transparency/contract/record'],
});
