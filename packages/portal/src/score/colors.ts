import { METHODOLOGIES, type Methodology } from '@broker-transparency/contract/score';

/** Values from which a score has another color, in the version in force. */
export const { colorFrom: COLOR_FROM } = METHODOLOGIES.at(-1) as Methodology;
