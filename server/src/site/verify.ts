import { hash } from 'node:crypto';
import { addressIn, LANGUAGES, verifyPage } from '@broker-transparency/portal';
import { readSiteFile } from '../assets.ts';
import { pageFile, type ServedFile } from '../http/endpoints/files.ts';

const toSource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/**
 * Returns the page that verifies files, in each language. `pnpm generate` makes its style and its script.
 * @param has returns true if the service has the page with this path
 */
export const verifyFiles = (has: (path: string) => boolean): ServedFile[] => {
  const style = readSiteFile('verify.css');
  const script = readSiteFile('verify.js').trim().replaceAll('</script', '<\\/script');
  const policy = `default-src 'none'; script-src ${toSource(script)}; style-src ${toSource(style)}; img-src data:; base-uri 'none'; form-action 'self'`;
  return LANGUAGES.map((language) => {
    const html = verifyPage({ language, has, style, script, policy }).text;
    return pageFile({ path: addressIn(language, '/verify'), html, policy });
  });
};
