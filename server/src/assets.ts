import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { RegulatorRecord } from './regulators/record.ts';

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

/** Version of this package. */
export const version = z.object({ version: z.string() }).parse(read('package.json')).version;

/** The regulators that come with the service: public facts, each with its sources. */
export const referenceRegulators = (): RegulatorRecord[] =>
  z.array(RegulatorRecord).parse(read('data/regulators.json'));
