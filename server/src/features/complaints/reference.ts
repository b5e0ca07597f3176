import { randomInt } from 'node:crypto';

/** Letters and digits that are not confused with each other when spoken. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTVWXYZ';

export const newReference = (): string =>
  `C-${Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
