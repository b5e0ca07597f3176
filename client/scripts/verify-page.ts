import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path: string): string => fileURLToPath(new URL(`./verify-page/${path}`, import.meta.url));

/** Returns the page that verifies publications and proofs: one file that works from a disk as well. */
export const verifyPage = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [at('page.js')],
    bundle: true,
    minify: true,
    write: false,
    charset: 'utf8',
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    conditions: ['@broker-transparency/source'],
  });
  const script = (outputFiles[0]?.text ?? '').trim().replaceAll('</script', '<\\/script');
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
  const page = await readFile(at('page.html.txt'), 'utf8');
  return page.replace('%POLICY%', () => policy).replace('%SCRIPT%', () => script);
};
