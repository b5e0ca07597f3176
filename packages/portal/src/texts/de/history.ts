import type { Texts } from '../en.ts';

/** Texts of the page about the published history of a broker, in German. */
export const history: Texts['history'] = {
  title: (name) => `Verlauf: ${name}`,
  heading: 'Verlauf:',
  description: (name) =>
    `Alles, was dieser Dienst über ${name} veröffentlicht hat, mit der Punktzahl nach jeder Änderung.`,
  back: 'Zurück zum Broker',
  changes: 'Jede Änderung, die neueste zuerst',
  changesLead:
    'Jede Zeile hat die Einträge des öffentlichen Verzeichnisses, die zusammen geschrieben wurden, den Grund dafür und die Punktzahl danach. Zwischen zwei Zeilen ändert sich die Punktzahl allein durch die Zeit: Ältere Bewertungen zählen weniger, ältere Lizenzen mehr.',
  noMore: 'Es gibt keine älteren Änderungen.',
  pages: 'Seiten mit Änderungen',
  newest: 'Neueste Änderungen',
  older: 'Ältere Änderungen',
  reviews: { one: '{n} Bewertung', other: '{n} Bewertungen' },
  subjects: {
    broker: 'Angaben zur Firma: Namen, Gesellschaften, Offenlegung',
    license: 'Lizenz',
    warning: 'Warnung einer Behörde',
    regulator: 'Aufsichtsbehörde',
    review: 'Bewertung',
    complaints: 'Beschwerden',
    methodology: 'Methodik',
    dispute: 'Angabe, die die Firma bestreitet',
  },
  causes: {
    start: 'Das Verzeichnis beginnt mit dem, was vorher veröffentlicht war.',
    fact: 'Neue Information.',
    correction: 'Das Veröffentlichte wurde dem angeglichen, was bekannt ist.',
    identity: 'Es wurde bekannt, welche Firma dies ist: ein neuer Name, eine Verschmelzung oder deren Ende.',
    check: 'Lizenzen wurden mit einem Register verglichen.',
    undo: 'Frühere Änderungen wurden zurückgenommen.',
    erasure: 'Ein Mensch hat die Löschung seiner Texte verlangt.',
    methodology: 'Von hier an wird nach anderen Regeln gerechnet.',
    day: 'Was zu Beginn eines Tages zählt, wurde zusammengestellt.',
    restore: 'Der Dienst wurde aus einer Sicherung wiederhergestellt.',
  },
  effects: {
    none: 'Punktzahl unverändert',
    first: 'die erste Punktzahl',
    rated: 'von hier an bewertet',
    unrated: 'von hier an nicht bewertet',
    up: (points) => `${points} mehr`,
    down: (points) => `${points} weniger`,
  },
  holdsSince: (day) => `Es gilt seit ${day}.`,
  entries: (numbers) => (numbers.includes('–') ? `Einträge ${numbers}` : `Eintrag ${numbers}`),
  asKnown: 'alles, was damals bekannt war',
  proof: 'Beweis',
  anyTime: 'Was an einem Tag veröffentlicht war',
  anyTimeLead:
    'Das Verzeichnis antwortet für jeden Tag, seit es begonnen hat: die Punktzahl, wie sie damals bekannt war, nach den Regeln jener Zeit.',
  day: 'Tag (UTC)',
  show: 'Diesen Tag zeigen',
  today: (time) => `Um ${time}: Dieser Tag ist noch nicht vorbei`,
  on: (day) => `Am Ende des ${day}`,
  nothing: 'Damals war nichts über ihn veröffentlicht.',
  methodology: (version) => `Nach Methodik ${version}.`,
  allFacts: 'Alle Angaben dahinter',
  machines:
    'Programme fragen dasselbe über eine Adresse. knownAt ist, was bekannt war: eine Zeit oder die Nummer eines Eintrags. validAt ist die Zeit, um die es geht.',
};
