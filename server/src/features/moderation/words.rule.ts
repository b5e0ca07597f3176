/** The words of a language that the rules use. The lists are short: a missed hint is better than a wrong one. */
interface LanguageWords {
  readonly good: readonly string[];
  readonly bad: readonly string[];
  /** Words that negate the following word. */
  readonly not: readonly string[];
  /** Frequent words that no other language in this list has. */
  readonly frequent: readonly string[];
}

const list = (words: string): string[] => words.split(' ');

export const WORDS: Readonly<Record<string, LanguageWords>> = {
  en: {
    good: list(
      'good great excellent reliable honest quick fast helpful recommend recommended happy fair trustworthy best',
    ),
    bad: list('bad terrible awful scam fraud thieves liars refused worst dishonest useless unfair avoid stole blocked'),
    not: list('not no never hardly without isnt wasnt dont cannot'),
    frequent: list('the and with they have this was that from my'),
  },
  de: {
    good: list(
      'gut sehr super hervorragend zuverlässig ehrlich schnell hilfreich empfehlen empfehlenswert zufrieden fair',
    ),
    bad: list(
      'schlecht schrecklich betrug betrüger abzocke lügner verweigert furchtbar unehrlich nutzlos unfair gesperrt',
    ),
    not: list('nicht kein keine keinen nie niemals ohne kaum'),
    frequent: list('und der das nicht ich ist mit auch wurde einen'),
  },
  es: {
    good: list(
      'bueno buena excelente fiable honesto rápido rápida recomiendo recomendable contento justo genial mejor',
    ),
    bad: list(
      'malo mala terrible estafa fraude ladrones mentirosos negaron pésimo pésima deshonesto inútil bloquearon',
    ),
    not: list('no nunca jamás sin tampoco'),
    frequent: list('el los y muy pero porque una del mi fue'),
  },
  fr: {
    good: list('bon bonne excellent excellente fiable honnête rapide recommande satisfait équitable génial meilleur'),
    bad: list('mauvais mauvaise terrible arnaque fraude voleurs menteurs refusé pire malhonnête inutile bloqué'),
    not: list('pas ne jamais sans aucun aucune ni'),
    frequent: list('les et très mais une dans est avec mon pour'),
  },
};

/** The script of each language for which it is certain. Any other language counts as unknown. */
export const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Latin: list('en de es fr it pt nl pl cs sk sv da nb no fi hu ro tr id ms vi hr sl et lv lt'),
  Cyrillic: list('ru uk bg be mk'),
  Greek: list('el'),
  Arabic: list('ar fa ur'),
  Hebrew: list('he'),
  Thai: list('th'),
  Hangul: list('ko'),
  Han: list('zh ja'),
  Devanagari: list('hi mr ne'),
};
