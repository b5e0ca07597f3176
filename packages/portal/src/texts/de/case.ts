import type { cases as english } from '../en/case.ts';

/** Texts of the pages on which people without an account report a review, read a decision and appeal, in German. */
export const cases: typeof english = {
  report: 'Diese Bewertung melden',
  reportTitle: 'Eine Bewertung melden',
  reportLead:
    'Sagen Sie uns, wenn eine Bewertung ein Gesetz oder die Bedingungen dieses Dienstes verletzt. Sie brauchen kein Konto. Dass eine Bewertung schlecht ist, ist kein Grund.',
  about: 'Sie melden die Bewertung',
  reason: 'Grund',
  reasons: {
    not_a_review: {
      label: 'Es ist keine Bewertung',
      help: 'Sie erzählt von keiner Leistung, die der Verfasser genutzt hat oder nutzen wollte.',
    },
    personal_data: {
      label: 'Sie zeigt persönliche Daten',
      help: 'Sie nennt eine Privatperson oder macht sie erkennbar, oder zeigt Daten zu Kontakt, Konto oder Zahlung.',
    },
    insult: { label: 'Sie beleidigt oder droht', help: 'Sie greift Menschen an, statt eine Leistung zu beurteilen.' },
    advertising: { label: 'Sie ist Werbung', help: 'Sie wirbt für ein Produkt oder einen Link, oder wurde bezahlt.' },
    off_topic: { label: 'Sie handelt von etwas anderem', help: 'Sie betrifft diesen Broker nicht.' },
    duplicate: { label: 'Sie wiederholt eine andere', help: 'Eine andere Bewertung hat fast dieselben Worte.' },
    unlawful: {
      label: 'Sie verletzt ein Gesetz',
      help: 'Nennen Sie unten das Gesetz, wenn Sie können, und den Satz, der es verletzt.',
    },
    conflict_of_interest: {
      label: 'Der Verfasser hat ein Interesse',
      help: 'Er arbeitet für den Broker oder einen Wettbewerber, oder wurde dafür belohnt.',
    },
    other_with_text: {
      label: 'Sie verletzt die Bedingungen anders',
      help: 'Sagen Sie unten, welche Regel Sie meinen.',
    },
    merged: { label: 'Der Verfasser hat diesen Broker schon bewertet', help: 'Zwei Broker sind einer geworden.' },
  },
  text: 'Warum meinen Sie das?',
  textHint: 'Welchen Satz meinen Sie, und was ist daran falsch? 10 bis 2000 Zeichen.',
  sender: 'Wer meldet',
  senderHint:
    'Das Gesetz verlangt Ihren Namen und Ihre Mailadresse. Nur wer entscheidet, sieht sie: nie der Verfasser der Bewertung und nie der Broker.',
  name: 'Ihr Name',
  mail: 'Ihre Mailadresse',
  child: 'Es geht um sexuellen Missbrauch eines Kindes: Ich muss Namen und Adresse nicht nennen.',
  childMine:
    'Es geht um sexuellen Missbrauch eines Kindes: Senden Sie sie ohne mein Konto. Den Stand zeigt mir dann ein Link.',
  faith: 'Ich bin in gutem Glauben überzeugt, dass meine Angaben richtig und vollständig sind.',
  send: 'Meldung senden',
  asVisitor: 'Sie melden sie als',
  wrong: 'Die Meldung ist noch nicht gesendet. Berichtigen Sie:',
  problems: {
    reason: 'Wählen Sie einen Grund.',
    text: 'Schreiben Sie 10 bis 2000 Zeichen.',
    name: 'Schreiben Sie Ihren Namen mit 2 bis 100 Zeichen.',
    mail: 'Das ist keine Mailadresse. Schreiben Sie eine wie name@mail.example.',
    faith: 'Kreuzen Sie dieses Feld an. Wir nehmen nur Meldungen in gutem Glauben an.',
  },
  reportNext:
    'Danach sehen Sie eine Seite mit dem Stand Ihrer Meldung. Wir senden sie auch an Ihre Adresse, und später die Entscheidung mit ihren Gründen. Eine Adresse bekommt höchstens fünf solche erste Mails am Tag.',
  reportNextNoMail:
    'Danach sehen Sie eine Seite mit dem Stand Ihrer Meldung und ihrem Aktenzeichen. Bewahren Sie ihre Adresse auf: Dieser Dienst sendet keine Mail.',
  reportNextMine:
    'Danach sehen Sie eine Seite mit dem Stand Ihrer Meldung, und später die Entscheidung. Sie finden sie unter „Was ich geschrieben habe“.',
  reportPrivacy:
    'Wir speichern Ihren Namen und Ihre Adresse bis sechs Monate nach der Entscheidung. Sie können das früher beenden: Schreiben Sie an den Kontakt auf der Seite Datenschutz.',
  tooManyTitle: 'Zu viele Meldungen',
  tooMany:
    'Binnen einer Stunde kamen zu viele Meldungen. Ihre wurde nicht angenommen. Senden Sie sie in einer Stunde noch einmal.',
  authorTitle: 'Entscheidung über Ihre Bewertung',
  authorLead: 'Das ist die Entscheidung über Ihre Bewertung, mit ihren Gründen.',
  replaced:
    'Über diese Bewertung wurde inzwischen neu entschieden. Gegen diese Entscheidung können Sie nicht mehr widersprechen.',
  reporterTitle: 'Ihre Meldung',
  reportTaken: 'Wir haben Ihre Meldung.',
  reportOpen:
    'Ein Mensch liest sie und entscheidet. Bewahren Sie die Adresse dieser Seite auf: Später zeigt sie die Entscheidung.',
  reportDecided: 'Über Ihre Meldung ist entschieden.',
  reportDone: {
    kept: 'Die Bewertung bleibt.',
    removed: 'Die Bewertung wurde entfernt.',
    withdrawn: 'Der Verfasser hat die Bewertung vorher zurückgenommen.',
  },
  reference: 'Aktenzeichen',
  broker: 'Broker',
  sentAt: 'Eingegangen',
  yourReason: 'Ihr Grund',
  reported: 'Gemeldete Bewertung',
  yourText: 'Ihre Worte',
  yourReview: 'Ihre Bewertung',
  statement: 'Begründung',
  decision: 'Entscheidung',
  decisions: {
    publish: 'Die Bewertung ist veröffentlicht.',
    reject: 'Die Bewertung wird nicht veröffentlicht.',
    remove: 'Die Bewertung wurde entfernt.',
    keep: 'Die Bewertung bleibt.',
    withhold: 'Die Bewertung wird zurückgehalten, solange ein Anspruch geprüft wird.',
    restore: 'Die Bewertung ist wieder veröffentlicht.',
  },
  decidedAt: 'Entschieden',
  scope: 'Wo sie gilt',
  everywhere: 'überall',
  duration: 'Wie lange sie gilt',
  noEnd: 'ohne Ende',
  until: (time) => `bis ${time}`,
  found: 'Was festgestellt wurde',
  onlyReason: 'Was der Grund sagt.',
  noGround: 'Es wurde kein Grund für eine Beschränkung gefunden.',
  origin: 'Wie wir davon erfuhren',
  byReport: 'durch eine Meldung',
  ownInitiative: 'beim eigenen Lesen',
  automated: 'Wer entschied',
  byPerson: 'Ein Mensch. Programme markieren nur Texte, die er ansehen soll.',
  byProgram: 'Ein Programm, weil zwei Broker einer wurden und jeder Mensch einen Broker nur einmal bewertet.',
  ground: 'Grundlage',
  groundTerms: 'die Bedingungen dieses Dienstes',
  groundLaw: 'ein Gesetz',
  groundNone: 'keine, denn nichts wurde beschränkt',
  opening: 'Diese Begründung mit dem öffentlichen Verzeichnis vergleichen',
  openingText:
    'Das Verzeichnis enthält einen Code dieser Begründung, ohne ihren Text. Er ist der SHA-256 des Salzes, als base64 gelesen, gefolgt von der Bewertung, der Entscheidung und der Begründung als kanonisches JSON (RFC 8785), das unten steht. So kann niemand die Begründung später unbemerkt ändern.',
  openingKey: 'Schlüssel des Eintrags',
  openingSalt: 'Salz',
  openingStatement: 'Bewertung, Entscheidung und Begründung',
  appealTitle: 'Widerspruch',
  appealLead: (until) =>
    `Sie können bis ${until} widersprechen, einmal und ohne Kosten. Es entscheidet jemand, der an der Entscheidung nicht beteiligt war.`,
  appealLabel: 'Warum ist die Entscheidung falsch?',
  appealHint: '10 bis 2000 Zeichen.',
  appealSend: 'Widerspruch senden',
  appealOpen: 'Er wartet auf eine Entscheidung.',
  appealExists: 'Gegen diese Entscheidung gibt es schon einen Widerspruch. Möglich ist einer je Entscheidung.',
  appealTooLate:
    'Gegen diese Entscheidung können Sie nicht mehr widersprechen: Die Zeit ist um, oder es wurde inzwischen neu entschieden.',
  outcomes: {
    confirmed: 'Die Entscheidung bleibt.',
    reversed: 'Die Entscheidung wurde geändert.',
    withdrawn: 'Der Verfasser hat die Bewertung vorher zurückgenommen.',
    ended: 'Er endete ohne eigene Entscheidung: Eine andere Entscheidung über die Bewertung kam vorher.',
  },
  state: 'Stand',
  back: 'Zurück zum Fall',
  redress: 'Was Sie noch tun können',
  redressText:
    'Sie können vor Gericht gehen. In der Europäischen Union können Sie sich auch an eine zertifizierte Stelle für außergerichtliche Streitbeilegung wenden (Verordnung (EU) 2022/2065, Artikel 21).',
  linkTitle: 'Dieser Link',
  linkText: (day) =>
    `Wer die Adresse dieser Seite hat, kann sie bis ${day} lesen. Könnte jemand anderes sie haben, so ziehen Sie sie zurück: Dann zeigt kein Link zu diesem Fall mehr etwas, den wir Ihnen gesandt haben.`,
  withdraw: 'Links zurückziehen',
  withdrawAgree:
    'Ich weiß, dass ich diesen Fall dann mit keinem Link mehr öffnen und das nicht rückgängig machen kann.',
  withdrawCure: 'Kreuzen Sie das Feld an, wenn Sie das wollen. Die Links gelten noch.',
  withdrawnTitle: 'Sie haben die Links zurückgezogen',
  withdrawn: 'Kein Link zu diesem Fall zeigt mehr etwas. Der Fall selbst geht weiter.',
  noCaseTitle: 'Dieser Link zeigt nichts',
  noCase: 'Er ist nicht vollständig, älter als sechs Monate, wurde zurückgezogen, oder sein Fall wurde gelöscht.',
};
