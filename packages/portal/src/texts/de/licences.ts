import type { licences as english } from '../en/licences.ts';

/** Texts for the number of licences of a broker, in German. */
export const licences: typeof english = {
  none: 'Keine Lizenz ist bestätigt',
  confirmed: { one: '{n} Lizenz vom Register bestätigt', other: '{n} Lizenzen von Registern bestätigt' },
  held: { one: '{n} weitere, die nicht zählt', other: '{n} weitere, die nicht zählen' },
  claimed: { one: '{n} behauptet, nicht bestätigt', other: '{n} behauptet, nicht bestätigt' },
};
