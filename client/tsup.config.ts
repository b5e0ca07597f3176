import { defineConfig } from 'tsup';

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
  external: ['@broker-transparency/client'],
  // the arithmetic of scores is brought along; of the contract's other parts the entries only say that they need them
  noExternal: ['@broker-transparency/contract/score', '@broker-transparency/contract/record'],
});
