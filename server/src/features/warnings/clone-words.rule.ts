/**
 * Beginnings of words by which authorities name impersonation, in the languages of their lists. A superfluous word
 * sends a warning to a person; a missing word may cap the score of a victim.
 */
const BEGINNINGS = [
  // English
  'clone cloned cloning clones purport spoof lookalike misus missbrauch impersonat imposter impostor pretend posing poses masquerad counterfeit fake falsely fraudulently copycat misappropriat',
  // French, Spanish, Catalan, Italian, Portuguese, Romanian
  'usurp contrefa imitation suplant clon impostor impostura clonazion contraffa spacci falsa falso falsific uzurp',
  // German, Dutch, Danish, Norwegian, Swedish
  'klon geklont identitätsdiebstahl identitätsmissbrauch identitätsbetrug missbräuchlich nachgeahmt nachahm gefälscht kloon gekloond identiteitsfraude misbruik identitetstyver identitetsstöld utgir utger udgiver falsk',
  // Polish, Czech, Slovak, Croatian, Slovene, Lithuanian, Latvian, Estonian, Hungarian, Finnish
  'podszyw podaj klonowan falešn falošn napodob vydáv lažn predstavlja apsimet netikr klonas viltus kloon võlts hamis visszaél klón huijaus väärenn esiinty',
  // Greek, Bulgarian, Russian, Turkish
  'κλών κλων υποδύ πλαστ клонинг клонир клон фалшив представя поддел выда sahte taklit',
]
  .join(' ')
  .split(' ');

/** Phrases, and words of scripts without blanks. */
const PHRASES = [
  'not connected',
  'not associated',
  'not affiliated',
  'no connection',
  'no association',
  'no relation',
  'look-alike',
  'not related',
  'unrelated to',
  'nothing to do with',
  'identity theft',
  'stolen identity',
  'passing off',
  'passes itself off',
  'using the name',
  'using the details',
  'uses the name',
  'uses the details',
  'misuse of',
  'misuses',
  'genuine firm',
  'se fait passer',
  'se font passer',
  "n'a aucun lien",
  'aucun lien',
  'no guarda relación',
  'no tiene relación',
  'sin relación',
  'suplantación',
  'non ha alcun',
  'non è riconducibile',
  'estranea',
  'não tem qualquer',
  'uso indevido',
  'uso abusivo',
  'gibt sich',
  'geben sich',
  'nicht identisch',
  'in keinem zusammenhang',
  'keine verbindung',
  'kein zusammenhang',
  'niet verbonden',
  'doet zich voor',
  'ikke tilknyttet',
  'ikke forbindelse',
  'inte kopplad',
  'nie jest powiązan',
  'ei liity',
  'なりすま',
  '詐称',
  '騙',
  'かたり',
  '冒充',
  '假冒',
  '仿冒',
  '冒用',
  '偽冒',
  '사칭',
  'แอบอ้าง',
  'giả mạo',
  'mạo danh',
  'menyamar',
  'mengatasnamakan',
  'انتحال',
];

const pattern = new RegExp(`(?<![\\p{L}])(?:${BEGINNINGS.join('|')})|${PHRASES.join('|')}`, 'iu');

/** Returns true if an authority's text may be about impersonation of another firm. */
export const mentionsClone = (text: string): boolean => pattern.test(text.normalize('NFC'));
