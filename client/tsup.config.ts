import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/score.ts', 'src/strict.ts', 'src/testing.ts'],
  format: ['esm', 'cjs'],
  splitting: true,
  dts: true,
  clean: true,
  external: ['@broker-transparency/client'],
  // the arithmetic is brought along; of the contract's other parts the entries only say that they need them
  noExternal: ['@broker-transparency/contract/score'],
});
