/** The parts of a language of the site besides its texts. */
export interface Locale {
  /** Locale of numbers, days and names of countries. */
  readonly locale: string;
  /** Name of the language in itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

/** Languages of the site by code. Each has a catalogue of messages in this folder. */
export const LOCALES = {
  en: { locale: 'en-GB', name: 'English', direction: 'ltr' },
  de: { locale: 'de-DE', name: 'Deutsch', direction: 'ltr' },
  es: { locale: 'es-ES', name: 'Español', direction: 'ltr' },
} as const satisfies Readonly<Record<string, Locale>>;

/** Code of a language of the site. */
export type LanguageCode = keyof typeof LOCALES;
