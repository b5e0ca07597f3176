import { readFileSync } from 'node:fs';
import * as z from 'zod';

import { RegulatorRecord } from './features/regulators/record.rule.ts';
import type { WholePage } from './http/endpoints/pages.ts';

/** Returns the regulators that ship with the service: public facts, each with its sources. */
export const referenceRegulators = (): RegulatorRecord[] =>
  z.array(RegulatorRecord).parse(JSON.parse(readFileSync(new URL('../data/regulators.json', import.meta.url), 'utf8')));

/** The folder with the templates of mail, by language. */
export const mailTemplates = new URL('../data/mail/', import.meta.url);

/** Returns the page that verifies publications and proofs. It is made of the client: `pnpm generate`. */
export const verifyPage = (): WholePage => ({
  path: '/verify',
  html: readFileSync(new URL('../data/verify.html', import.meta.url), 'utf8'),
  asks: false,
});
