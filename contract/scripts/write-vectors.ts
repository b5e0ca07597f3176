/** Writes the test vectors of the version of the methodology in force. */
import { writeFileSync } from 'node:fs';
import { METHODOLOGY_VERSION } from '../src/score/methodology.ts';
import { makeVectors } from './vectors.ts';

/** No score needs the stars of single reviews. */
const withoutStars = (key: string, value: unknown): unknown => (key === 'distribution' ? undefined : value);

writeFileSync(
  new URL(`../methodology/${METHODOLOGY_VERSION}.ndjson`, import.meta.url),
  makeVectors()
    .map((vector) => `${JSON.stringify(vector, withoutStars)}\n`)
    .join(''),
);
