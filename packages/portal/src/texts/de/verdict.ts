import type { Texts } from '../en.ts';

/** Texts of the verdict for clients of a country in German. */
export const verdict: Texts['verdict'] = {
  title: ({ where }) => `Für Kundinnen und Kunden mit Wohnsitz ${where}`,
  ask: 'Was das an Ihrem Wohnort heißt',
  choose: 'Land, in dem Sie wohnen',
  show: 'Anzeigen',
  other: 'Land wählen',
  clone: 'Das ist vermutlich die Nachahmung einer anderen Firma. Zahlen Sie nichts ein.',
  warned: 'Eine Behörde warnt vor dieser Firma. Zahlen Sie nichts ein.',
  unchecked: 'Eine Warnung gilt vielleicht dieser Firma. Das hat noch niemand geprüft.',
  alarm: 'Der Hinweis oben gilt unabhängig vom Wohnort. Zahlen Sie nichts ein.',
  notice: 'Lesen Sie zuerst die Warnung oben. Sie gilt unabhängig vom Wohnort.',
  unwarned: 'Eine Warnung ist nicht bekannt.',
  warningsPast: 'Keine Warnung vor dieser Firma, die wir kennen, ist in Kraft.',
  ended: 'Mit dieser Firma kann niemand mehr abschließen.',
  signs: ({ where }, firm) => `Wer ${where} wohnt, schließt mit ${firm} ab.`,
  signsUnknown: ({ where }) =>
    `Keine Quelle sagt, mit welcher Gesellschaft man bei Wohnsitz ${where} abschließt. Lesen Sie den Namen im Vertrag, bevor Sie einzahlen.`,
  supervised: (firm, regulator) => `Die Aufsicht über ${firm} hat: ${regulator}.`,
  unsupervised: (firm) => `Kein Register bestätigt, dass ${firm} beaufsichtigt wird.`,
  permitted: ({ where }) => `Ein Register bestätigt die Zulassung für Kundschaft ${where}.`,
  permittedShort: ({ where }, firms) =>
    `Wer ${where} wohnt, schließt mit ${firms} ab, und ein Register bestätigt die Zulassung dafür.`,
  notSender: 'Register bestätigen diesen Broker. Sie können nicht sagen, wer Ihnen geschrieben hat.',
  partyNotConfirmed: (firm, { where }) =>
    `Es ist nicht bestätigt, dass ${firm} Kundschaft ${where} annehmen darf. Lesen Sie, welche Gesellschaft Ihr Vertrag nennt.`,
  otherEntity: ({ where }, firm) =>
    `Ein Register bestätigt die Zulassung von ${firm} für Kundschaft ${where}. Keine Quelle sagt, dass Sie mit dieser Gesellschaft abschließen.`,
  notConfirmed: ({ where, named }) =>
    `Es ist nicht bestätigt, dass eine Gesellschaft dieses Brokers Privatkundschaft ${where} annehmen darf. Zahlen Sie nichts ein, solange Sie sie nicht in einem Register gefunden haben, das ${named} nennt.`,
  claimed: (regulator, firm, { named }) => `${regulator}, ${firm}: nicht bestätigt für ${named}`,
  none: ({ named }) =>
    `Wir kennen keine Lizenz für ${named}, und wir haben nur Lizenzen verglichen, die wir kennen. Zahlen Sie nichts ein, solange Sie die Firma nicht in einem Register dieses Landes gefunden haben.`,
  unknown: ({ named }) => `Wir können nicht sagen, ob es eine Lizenz für ${named} gibt.`,
  neverCompared: 'Niemand hat die Lizenzen dieses Brokers mit den Registern verglichen.',
  unreadSince: (register, day) => `Dieses Register wurde seit dem ${day} nicht gelesen: ${register}.`,
  neverRead: (register) => `Dieses Register wurde nie vollständig gelesen: ${register}.`,
  noRegister: ({ named }) => `Wir kennen kein Register für ${named}.`,
  unreadMore: {
    one: 'Ein weiteres Register wurde nicht rechtzeitig gelesen oder ist nicht bekannt.',
    other: '{n} weitere Register wurden nicht rechtzeitig gelesen oder sind nicht bekannt.',
  },
  findThere: 'Zahlen Sie nichts ein, solange Sie die Firma dort nicht gefunden haben.',
  findFirst: ({ named }) =>
    `Zahlen Sie nichts ein, solange Sie die Firma nicht in einem Register für ${named} gefunden haben.`,
  compensation: (sum) =>
    `Fällt die Firma aus, zahlt ein Fonds bis zu ${sum}. Verluste aus dem Handel sind nicht gedeckt.`,
  noCompensation: 'Es ist nicht bekannt, dass ein Fonds zahlt, wenn die Firma ausfällt.',
  leverage: (cap) => `Der Hebel auf wichtige Währungspaare beträgt höchstens ${cap}:1.`,
  limited: 'Sie können nicht mehr verlieren, als auf Ihrem Konto ist.',
  unlimited: 'Diese Regeln begrenzen Ihren Verlust nicht auf das, was auf Ihrem Konto ist.',
  rules: (regulator) => `Regeln: ${regulator}`,
  entry: 'Registereintrag',
};
