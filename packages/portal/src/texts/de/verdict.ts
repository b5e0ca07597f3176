import type { Texts } from '../en.ts';

/** Texts of the verdict for clients of a country in German. */
export const verdict: Texts['verdict'] = {
  title: (country) => `Für Kundinnen und Kunden mit Wohnsitz in ${country}`,
  ask: 'Was das an Ihrem Wohnort heißt',
  choose: 'Land, in dem Sie wohnen',
  show: 'Anzeigen',
  other: 'Land wählen',
  clone: 'Das ist vermutlich die Nachahmung einer anderen Firma. Zahlen Sie nichts ein.',
  warned: {
    one: 'Eine Behörde warnt vor dieser Firma. Zahlen Sie nichts ein.',
    other: '{n} Warnungen von Behörden gelten dieser Firma. Zahlen Sie nichts ein.',
  },
  warnedShort: 'Eine Behörde warnt vor dieser Firma. Zahlen Sie nichts ein.',
  unchecked: 'Eine Warnung gilt vielleicht dieser Firma. Das hat noch niemand geprüft.',
  impersonated: 'Jemand anderes gibt sich als diese Firma aus. Vergleichen Sie Domain und Lizenznummer.',
  unwarned: 'Eine Warnung ist nicht bekannt.',
  warningsPast: 'Keine Warnung vor dieser Firma, die wir kennen, ist in Kraft.',
  ceased: 'Diese Firma hat ihr Geschäft eingestellt. Niemand kann mehr mit ihr abschließen.',
  merged: 'Diese Firma ist in einer anderen aufgegangen. Niemand kann mehr mit ihr abschließen.',
  signs: (country, firm) => `Wer in diesem Land wohnt (${country}), schließt mit ${firm} ab.`,
  signsUnknown: (country) =>
    `Keine Quelle sagt, mit welcher Gesellschaft man bei Wohnsitz in ${country} abschließt. Lesen Sie den Namen im Vertrag, bevor Sie einzahlen.`,
  supervised: (firm, regulator) => `Die Aufsicht über ${firm} hat: ${regulator}.`,
  unsupervised: (firm) => `Kein Register bestätigt, dass ${firm} beaufsichtigt wird.`,
  permitted: (country) => `Ein Register bestätigt die Zulassung für Kundschaft in ${country}.`,
  permittedShort: (country, firms) =>
    `Wer in diesem Land wohnt (${country}), schließt mit ${firms} ab, und ein Register bestätigt die Zulassung dafür.`,
  notSender: 'Was Register über diesen Broker bestätigen, sagt nichts über den, der Ihnen geschrieben hat.',
  partyNotConfirmed: (firm, country) =>
    `Es ist nicht bestätigt, dass ${firm} Kundschaft in ${country} annehmen darf. Lesen Sie, welche Gesellschaft Ihr Vertrag nennt.`,
  otherEntity: (country, firm) =>
    `Ein Register bestätigt die Zulassung von ${firm} für Kundschaft in ${country}. Keine Quelle sagt, dass Sie mit dieser Gesellschaft abschließen.`,
  notConfirmed: (country) =>
    `Es ist nicht bestätigt, dass eine Gesellschaft dieses Brokers Privatkundschaft in ${country} annehmen darf. Zahlen Sie nichts ein, solange Sie sie nicht in einem Register gefunden haben, das ${country} nennt.`,
  claimed: (regulator, firm, country) => `${regulator}, ${firm}: nicht bestätigt für ${country}`,
  none: (country) =>
    `Wir kennen keine Lizenz für ${country}, und wir haben nur Lizenzen verglichen, die wir kennen. Zahlen Sie nichts ein, solange Sie die Firma nicht in einem Register dieses Landes gefunden haben.`,
  unknown: (country) => `Wir können nicht sagen, ob es eine Lizenz für ${country} gibt.`,
  neverCompared: 'Niemand hat die Lizenzen dieses Brokers mit den Registern verglichen.',
  unreadSince: (register, day) => `Dieses Register wurde seit dem ${day} nicht gelesen: ${register}.`,
  neverRead: (register) => `Dieses Register wurde nie vollständig gelesen: ${register}.`,
  noRegister: (country) => `Für dieses Land kennen wir kein Register: ${country}.`,
  unreadMore: {
    one: 'Ein weiteres Register wurde nicht rechtzeitig gelesen oder ist nicht bekannt.',
    other: '{n} weitere Register wurden nicht rechtzeitig gelesen oder sind nicht bekannt.',
  },
  findThere: 'Zahlen Sie nichts ein, solange Sie die Firma dort nicht gefunden haben.',
  findFirst: (country) =>
    `Zahlen Sie nichts ein, solange Sie die Firma nicht in einem Register dieses Landes gefunden haben (${country}).`,
  compensation: (sum) =>
    `Fällt die Firma aus, zahlt ein Fonds bis zu ${sum}. Verluste aus dem Handel sind nicht gedeckt.`,
  noCompensation: 'Es ist nicht bekannt, dass ein Fonds zahlt, wenn die Firma ausfällt.',
  leverage: (cap) => `Der Hebel auf wichtige Währungspaare beträgt höchstens ${cap}:1.`,
  limited: 'Sie können nicht mehr verlieren, als auf Ihrem Konto ist.',
  unlimited: 'Diese Regeln begrenzen Ihren Verlust nicht auf das, was auf Ihrem Konto ist.',
  rules: (regulator) => `Regeln: ${regulator}`,
  entry: 'Registereintrag',
};
