/** Forms of a country's name within a sentence. */
export interface CountryForms {
  /** With its preposition: "in the United States", "in den Vereinigten Staaten". */
  readonly where: string;
  /** With its article, as the object of a sentence: "the United States", "die Vereinigten Staaten". */
  readonly named: string;
}

const split = (codes: string): ReadonlySet<string> => new Set(codes.split(' '));

const ENGLISH_THE = split(
  'AE AX BQ BS CC CF CK DO FK FO GB GM HM IM IO KM KY MH MP MV NL PH PN PS SB SC TC TF UM US VG VI',
);

const formInEnglish = (code: string, name: string): CountryForms => {
  const named = ENGLISH_THE.has(code) ? `the ${name}` : name;
  return { where: `in ${named}`, named };
};

/** German names that only get words before them: those of the place, and those of the object. */
const GERMAN_WORDS: readonly (readonly [codes: ReadonlySet<string>, where: string, named: string])[] = [
  [split('AQ CH EH HK MD MN MO SK TR UA VA'), 'in der ', 'die '],
  [split('BV CX IM NF'), 'auf der ', 'die '],
  [split('IQ IR LB NE SD SN SS TD YE'), 'im ', 'den '],
  [split('AX BS CC CK FK KM KY MH MV PH PN SB SC TC'), 'auf den ', 'die '],
  [split('AI AW BL BM CW GG GP GU JE MF MQ MS NU PM RE SH SJ SX TK YT'), 'auf ', ''],
];

/** German names that change in a sentence. */
const GERMAN_CHANGED: Readonly<Record<string, readonly [where: string, named: string]>> = {
  AE: ['in den Vereinigten Arabischen Emiraten', 'die Vereinigten Arabischen Emirate'],
  BQ: ['in den Karibischen Niederlanden', 'die Karibischen Niederlande'],
  CF: ['in der Zentralafrikanischen Republik', 'die Zentralafrikanische Republik'],
  DO: ['in der Dominikanischen Republik', 'die Dominikanische Republik'],
  FO: ['auf den Färöern', 'die Färöer'],
  GB: ['im Vereinigten Königreich', 'das Vereinigte Königreich'],
  GS: ['auf Südgeorgien und den Südlichen Sandwichinseln', 'Südgeorgien und die Südlichen Sandwichinseln'],
  HM: ['auf Heard und den McDonaldinseln', 'Heard und die McDonaldinseln'],
  IO: ['im Britischen Territorium im Indischen Ozean', 'das Britische Territorium im Indischen Ozean'],
  MP: ['auf den Nördlichen Marianen', 'die Nördlichen Marianen'],
  NL: ['in den Niederlanden', 'die Niederlande'],
  PS: ['in den Palästinensischen Autonomiegebieten', 'die Palästinensischen Autonomiegebiete'],
  TF: ['in den Französischen Süd- und Antarktisgebieten', 'die Französischen Süd- und Antarktisgebiete'],
  UM: ['auf den Amerikanischen Überseeinseln', 'die Amerikanischen Überseeinseln'],
  US: ['in den Vereinigten Staaten', 'die Vereinigten Staaten'],
  VC: ['in St. Vincent und den Grenadinen', 'St. Vincent und die Grenadinen'],
  VG: ['auf den Britischen Jungferninseln', 'die Britischen Jungferninseln'],
  VI: ['auf den Amerikanischen Jungferninseln', 'die Amerikanischen Jungferninseln'],
};

const formInGerman = (code: string, name: string): CountryForms => {
  const changed = GERMAN_CHANGED[code];
  if (changed !== undefined) return { where: changed[0], named: changed[1] };
  const [, where, named] = GERMAN_WORDS.find(([codes]) => codes.has(code)) ?? [undefined, 'in ', ''];
  return { where: `${where}${name}`, named: `${named}${name}` };
};

/** Spanish names that have an article in a sentence, by the word that they begin with. */
const SPANISH_NOUNS: readonly (readonly [names: RegExp, article: string])[] = [
  [/^(Ciudad|Isla|RAE|República) /, 'la '],
  [/^(Antártida|India)$/, 'la '],
  [/^Islas /, 'las '],
  [/^(Congo$|(Caribe|Reino|Sáhara|Territorio) )/, 'el '],
  [/^(Emiratos|Países|Territorios) /, 'los '],
];

const formInSpanish = (_code: string, name: string): CountryForms => {
  const [, article] = SPANISH_NOUNS.find(([names]) => names.test(name)) ?? [undefined, ''];
  const named = `${article}${name}`;
  return { where: `en ${named}`, named };
};

const GRAMMARS: Readonly<Record<string, (code: string, name: string) => CountryForms>> = {
  en: formInEnglish,
  de: formInGerman,
  es: formInSpanish,
};

/**
 * Returns the forms of a country's name in a sentence.
 * @param language code of a language of the site
 * @param code ISO 3166-1 alpha-2
 * @param name its name in that language, without an article
 * @throws RangeError for a language without a grammar
 * @example formCountry('en', 'US', 'United States').where // 'in the United States'
 */
export const formCountry = (language: string, code: string, name: string): CountryForms => {
  const grammar = Object.hasOwn(GRAMMARS, language) ? GRAMMARS[language] : undefined;
  if (grammar === undefined)
    throw new RangeError(`no grammar for the language "${language}"; add one to country-forms.rule.ts`);
  return grammar(code, name);
};
