import type { Plural } from '../../format.ts';

/** Texts for the number of licences of a broker, on every page, frame and badge. */
export const licences = {
  none: 'No licence is confirmed',
  confirmed: { one: '{n} licence confirmed by its register', other: '{n} licences confirmed by registers' } as Plural,
  held: { one: '{n} more that does not count', other: '{n} more that do not count' } as Plural,
  claimed: { one: '{n} claimed, not confirmed', other: '{n} claimed, not confirmed' } as Plural,
};
