import type { clone as english } from '../en/clone.ts';

/** Texts of the page that looks for clones, in German. */
export const clone: typeof english = {
  title: 'Ist diese Firma ein Klon?',
  description:
    'Name, Internetadresse oder Lizenznummer eingeben: Warnungen der Behörden, bekannte Klone und ähnliche Namen.',
  lead: 'Klone übernehmen Namen, Lizenznummer und Aussehen eines echten Brokers. Prüfen Sie, was man Ihnen nennt, bevor Sie einzahlen.',
  label: 'Name, Internetadresse oder Lizenznummer',
  hint: 'Was Sie eingeben, wird weder gespeichert noch protokolliert. Name, eine Adresse und eine Nummer können Sie zusammen eingeben.',
  button: 'Prüfen',
  empty:
    'Geben Sie einen Namen, eine Internetadresse oder eine Lizenznummer ein. In Ihrer Eingabe ist nichts zu suchen.',
  again: 'Etwas anderes prüfen',
  kept: (scripts) =>
    `Buchstaben dieser Schriften wurden nur mit denselben Buchstaben verglichen: ${scripts}. Suchen Sie den Namen auch in lateinischen Buchstaben.`,
  unread: (domains) => `Von mehreren Adressen wird nur die erste gesucht. Nicht gesucht wurden: ${domains}.`,
  asked: (text) => `Zu „${text}“:`,
  verdict: {
    warned: {
      title: 'Es gibt eine Warnung. Zahlen Sie nichts ein, bevor Sie sie gelesen haben.',
      text: 'Ihre Eingabe passt zu jemandem, vor dem eine Behörde warnt oder der im Verdacht steht, ein Klon zu sein.',
    },
    foreign: {
      title: 'Das ist keine bekannte Adresse des Brokers, dem sie gleicht. So sehen Klone aus.',
      text: 'Der Broker steht hier mit anderen Adressen. Benutzen Sie diese, oder die aus dem Register seiner Aufsicht.',
    },
    alike: {
      title: 'Keine Warnung passt genau, aber etwas sieht ähnlich aus.',
      text: 'Ein Klon unterscheidet sich von der echten Firma in einem Buchstaben, einer Endung oder einem Wort. Vergleichen Sie Zeichen für Zeichen.',
    },
    copied: {
      title: 'Ein Broker ist so bekannt, und eine Behörde warnt vor jemandem, der sich als dieser ausgibt.',
      text: 'Wer Ihnen schreibt, kann eben dieser sein: Ein Klon benutzt den echten Namen und die echte Nummer. Lesen Sie die Warnung, und vergleichen Sie Adresse und Telefonnummer mit dem Register.',
    },
    known: {
      title: 'Ein Broker ist so bekannt. Es wurde keine Warnung gefunden, die ihn nennt.',
      text: 'Wer Ihnen schreibt, kann trotzdem jemand anderes sein: Ein Klon benutzt den echten Namen und die echte Nummer. Vergleichen Sie Adresse und Telefonnummer mit dem Register.',
    },
    nothing: {
      title: 'Keine Warnung gefunden. Das heißt nicht, dass die Firma sicher ist.',
      text: 'Nichts von dem, was durchsucht wurde, passt oder sieht ähnlich aus. Wer nicht aufgeführt ist, kann ohne Lizenz, anderswo gemeldet oder neu sein.',
    },
  },
  brokers: 'Broker, die gemeint oder nachgeahmt sein können',
  warnings: 'Auf den Listen der Behörden',
  warningsText:
    'Diese Warnungen nennen etwas wie Ihre Eingabe. Ob sie die Firma meinen, die Sie meinen, hat niemand geprüft: Öffnen und vergleichen Sie sie.',
  more: 'Es gibt mehr als diese. Geben Sie mehr von dem ein, was Sie wissen, etwa die Adresse.',
  because: {
    lei: { exact: 'Gleiche LEI', likely: 'Gleiche LEI', possible: 'Gleiche LEI' },
    name: { exact: 'Gleicher Name', likely: 'Gleicher Name, anders geschrieben', possible: 'Ähnlicher Name' },
    domain: { exact: 'Gleiche Adresse', likely: 'Adresse desselben Inhabers', possible: 'Ähnliche Adresse' },
    licenseNumber: {
      exact: 'Gleiche Lizenznummer',
      likely: 'Gleiche Lizenznummer',
      possible: 'Gleiche Nummer bei einer anderen Aufsicht',
    },
  },
  status: {
    operating: 'Im Geschäft',
    ceased: 'Nicht mehr im Geschäft',
    merged: 'In einem anderen Broker aufgegangen',
    suspected_clone: 'Verdacht: Klon, der sich als eine andere Firma ausgibt',
  },
  score: (value, word) => `Wertung: ${value} von 100, ${word}`,
  unrated: 'Nicht bewertet',
  addresses: 'Seine bekannten Adressen',
  cloneAddresses: 'Adressen, die er benutzt. Öffnen Sie sie nicht',
  licences: 'Seine bestätigten Lizenzen',
  noLicence: 'keine ist bestätigt',
  about: {
    this_firm: 'Eine Behörde warnt vor dieser Firma',
    clone_of_it: 'Eine Behörde warnt vor jemandem, der sich als diese Firma ausgibt',
  },
  unchecked: 'Unbestätigt: automatisch zugeordnet; noch hat niemand geprüft, ob diese Firma gemeint ist.',
  published: (day) => `Veröffentlicht am ${day}`,
  publishedBy: (day) => `Veröffentlicht spätestens am ${day}`,
  credit: (text) => `Quelle: ${text}`,
  searchedTitle: 'Was durchsucht wurde',
  searchedBrokers: {
    one: '{n} Broker mit Namen, Adressen und Lizenzen',
    other: '{n} Broker mit Namen, Adressen und Lizenzen',
  },
  searchedLists: { one: '{n} Warnliste einer Behörde', other: '{n} Warnlisten von Behörden' },
  noLists:
    'Hier wurde noch keine Warnliste einer Behörde eingelesen. Durchsucht wurden nur Warnungen, die bei einem Broker stehen.',
  list: (name, day) => `${name}, Stand ${day}`,
  todo: 'Was Sie jetzt tun sollten',
  steps: [
    'Suchen Sie die Firma im Register der Aufsicht, die sie nennt. Öffnen Sie das Register selbst, nicht über einen Link, den man Ihnen geschickt hat.',
    'Vergleichen Sie die Internetadresse dort Zeichen für Zeichen mit Ihrer.',
    'Rufen Sie die Firma unter der Nummer aus dem Register an, und fragen Sie, ob die Person dort arbeitet, die Ihnen geschrieben hat.',
    'Wenn Sie schon gezahlt haben: Rufen Sie sofort Ihre Bank an, dann melden Sie es der Aufsicht und der Polizei.',
  ],
  registers: 'Aufsichtsbehörden und ihre Register',
};
