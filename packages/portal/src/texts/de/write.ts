import type { Texts } from '../en.ts';

/** Texts of the pages on which people write a review or a complaint, in German. */
export const write: Texts['write'] = {
  offer: { review: 'Eine Bewertung schreiben', complaint: 'Sich über diesen Broker beschweren' },
  title: { review: 'Eine Bewertung schreiben', complaint: 'Eine Beschwerde senden' },
  about: {
    review: (name) => `${name} bewerten`,
    complaint: (name) => `Beschwerde über ${name}`,
  },
  steps: { label: 'Schritte', broker: 'Broker', text: 'Text', preview: 'Ansehen und senden' },
  lead: {
    review:
      'Erzählen Sie anderen, was Sie mit einem Broker erlebt haben. Menschen lesen jede Bewertung, bevor sie veröffentlicht wird.',
    complaint:
      'Eine Beschwerde ist vertraulich. Sie geht an den Broker, wenn Sie es erlauben. Antwortet er innerhalb von 15 Tagen, gilt das als rechtzeitig.',
  },
  before: 'Bevor Sie schreiben',
  conditions: {
    review: [
      'Sie melden sich an, und Ihre Identität muss geprüft sein. So schreibt niemand zweimal. Ihr Name wird dadurch nicht öffentlich.',
      'Eine Bewertung je Broker. Für eine neue ziehen Sie zuerst die alte zurück.',
      'Schreiben Sie nur über das, was Sie selbst erlebt haben.',
    ],
    complaint: [
      'Sie melden sich an. Ihre Identität muss nicht geprüft sein, aber nur Beschwerden geprüfter Personen zählen für die Wertung des Brokers.',
      'Beschweren Sie sich zuerst schriftlich beim Broker. Heben Sie seine Antwort auf.',
      'Wir sind kein Gericht und keine Behörde: Wir leiten die Beschwerde weiter, achten auf die Fristen und zählen, wie sie endet.',
    ],
  },
  signIn: 'Anmelden und schreiben',
  unverified: {
    title: 'Ihre Identität ist noch nicht geprüft',
    text: 'Nur Personen mit geprüfter Identität können eine Bewertung veröffentlichen, damit niemand zweimal schreibt. Schreiben können Sie jetzt schon: Wir heben Ihren Text 30 Tage auf. Sobald Sie geprüft sind, können Sie ihn senden.',
    link: 'Meine Identität prüfen lassen',
    none: 'Fragen Sie den Betreiber dieses Dienstes, wie Sie Ihre Identität prüfen lassen.',
  },
  drafts: 'Texte, die Sie nicht gesendet haben',
  draftUntil: (day) => `aufgehoben bis ${day}`,
  draftInSession:
    'wird gelöscht, wenn Sie abgemeldet sind, spätestens zwei Stunden nach der letzten Seite, die Sie geöffnet haben',
  kinds: { review: 'Bewertung', complaint: 'Beschwerde' },
  find: {
    label: 'Broker finden',
    hint: 'Nach Name, Domain oder Nummer der Lizenz.',
    button: 'Finden',
    found: 'Wählen Sie den Broker',
    none: 'Wir kennen keinen solchen Broker. Prüfen Sie die Schreibweise, oder suchen Sie nach der Domain seiner Website.',
    all: 'Alle Broker',
    other: 'Ein anderer Broker',
  },
  saved: {
    review: (day) => `Ihr Text ist gespeichert. Wir heben ihn bis ${day} auf, auch wenn Sie sich abmelden.`,
    complaint:
      'Ihr Text ist gespeichert. Er wird gelöscht, wenn Sie ihn senden und wenn Sie abgemeldet sind: durch Sie selbst, nach zwei Stunden, in denen Sie keine Seite öffnen, oder 24 Stunden nach der Anmeldung.',
  },
  help: {
    title: 'So schreiben Sie',
    review: [
      'Sagen Sie, was Sie wann getan haben und was geschah: einzahlen, handeln, auszahlen, Hilfe bekommen.',
      'Lassen Sie Namen, Adressen, Telefon- und Kontonummern weg, Ihre eigenen und fremde.',
      'Keine Links und keine Werbung. Keine Beleidigungen: Kritisieren Sie die Leistung, nicht Menschen.',
      'Eine schlechte Note ist nie ein Grund, eine Bewertung abzulehnen.',
    ],
    complaint: [
      'Sagen Sie, was geschah, in der Reihenfolge der Tage, und was der Broker geantwortet hat.',
      'Sagen Sie, was Sie wollen: Ihr Geld, eine Korrektur, eine Erklärung.',
      'Schreiben Sie Ihre Kundennummer und den Namen, unter dem der Broker Sie kennt: Sonst findet er Ihren Fall nicht.',
      'Schreiben Sie nie ein Passwort oder eine ganze Kartennummer.',
    ],
  },
  fields: {
    rating: {
      label: 'Wie gut ist der Broker?',
      cure: 'Wählen Sie 1 bis 5 Sterne.',
      choices: ['1 Stern: schlecht', '2 Sterne: mangelhaft', '3 Sterne: mittel', '4 Sterne: gut', '5 Sterne: sehr gut'],
    },
    title: { label: 'In wenigen Worten', hint: '3 bis 120 Zeichen.', cure: 'Schreiben Sie 3 bis 120 Zeichen.' },
    content: { label: 'Was geschah', hint: '20 bis 5000 Zeichen.', cure: 'Schreiben Sie 20 bis 5000 Zeichen.' },
    language: { label: 'Sprache Ihres Textes', cure: 'Wählen Sie eine Sprache.' },
    category: {
      label: 'Worum geht es?',
      cure: 'Wählen Sie eines.',
      none: 'Wählen Sie eines',
      choices: {
        withdrawal: 'Auszahlung',
        execution: 'Ausführung von Aufträgen',
        pricing: 'Preise, Spreads und Gebühren',
        account: 'Das Konto',
        conduct: 'Verhalten von Mitarbeitern des Brokers',
        misleading: 'Irreführende Aussagen oder Werbung',
        other: 'Etwas anderes',
      },
    },
    amount: {
      label: 'Um wie viel Geld geht es? (freiwillig)',
      hint: 'Lassen Sie es leer, wenn es um keinen Betrag geht.',
      cure: 'Schreiben Sie eine Zahl mit höchstens zwei Nachkommastellen, etwa 250,00, ohne Leerzeichen und Tausenderpunkte.',
    },
    currency: {
      label: 'Währung (wenn Sie einen Betrag nennen)',
      hint: 'Ihr Kürzel, etwa USD oder EUR.',
      cure: 'Schreiben Sie drei Buchstaben, etwa USD.',
    },
    occurred: {
      label: 'Wann ist es geschehen? (freiwillig)',
      hint: 'Ein Tag in der Form 2026-01-31.',
      cure: 'Schreiben Sie einen Tag in der Form 2026-01-31. Er darf nicht in der Zukunft liegen.',
    },
    resolution: {
      label: 'Was soll der Broker tun? (freiwillig)',
      hint: '3 bis 1000 Zeichen.',
      cure: 'Schreiben Sie 3 bis 1000 Zeichen, oder lassen Sie es leer.',
    },
    consent: {
      label: 'Dürfen wir sie an den Broker senden?',
      hint: 'Ohne Ihre Erlaubnis können wir sie nicht weiterleiten und schließen sie ohne eine Antwort des Brokers.',
      cure: 'Wählen Sie Ja oder Nein.',
      yes: 'Ja, der Broker darf meinen Text und den Namen lesen, mit dem ich hier angemeldet bin, und antworten',
      no: 'Nein',
    },
    agree: {
      review:
        'Ich habe das selbst erlebt und bin einverstanden, dass meine Bewertung wie oben gesagt veröffentlicht wird.',
      complaint: 'Das stimmt, soweit ich weiß, und ich bin mit dem einverstanden, was oben steht.',
      cure: 'Kreuzen Sie das Feld an, wenn Sie einverstanden sind. Sonst wird nichts gesendet.',
    },
  },
  count: { missing: 'Noch {n}.', left: '{n} übrig.', over: '{n} zu viel.' },
  wrong: {
    title: 'Bitte korrigieren Sie zuerst',
    required: 'Das fehlt.',
    too_small: 'Das ist zu kurz.',
    too_big: 'Das ist zu lang.',
    other: 'Das geht so nicht.',
  },
  toPreview: 'Vor dem Senden ansehen',
  save: 'Speichern und hier aufhören',
  discard: 'Diesen Text löschen',
  preview: {
    title: 'Das senden Sie',
    change: 'Den Text ändern',
    by: (name) => `Veröffentlicht unter dem Namen ${name}`,
    rated: (stars) => `${stars} von 5 Sternen`,
    advice: 'Darauf achten Moderatoren besonders',
    advices: {
      link: 'Ihr Text enthält einen Link oder den Namen einer Website. Werbung wird abgelehnt: Nehmen Sie ihn heraus, wenn Leser ihn nicht brauchen.',
      contact_data:
        'Ihr Text enthält eine Mailadresse, eine Telefonnummer oder ein Messenger-Konto. Kontaktdaten werden abgelehnt: Nehmen Sie sie heraus.',
      tone: 'Ihre Sterne und Ihre Worte scheinen Verschiedenes zu sagen. Prüfen Sie beides.',
      language: 'Ihr Text scheint in einer anderen Sprache zu sein als der gewählten.',
    },
    keepOrChange: 'Sie können ihn trotzdem senden: Menschen entscheiden, nicht Maschinen.',
    consent: 'Was damit geschieht',
    consents: {
      review: (name) => [
        `Nachdem ein Mensch sie gelesen hat, veröffentlichen wir: Ihre Sterne, Titel und Text, den Namen „${name}“, das Land Ihres Kontos, wenn wir es kennen, den Tag, und dass Ihre Identität geprüft ist. Ihre Mailadresse und andere Namen von Ihnen werden nicht veröffentlicht.`,
        'Der Broker kann öffentlich antworten. Alle können die Bewertung lesen und weitergeben.',
        'Sie bleibt öffentlich, bis Sie sie zurückziehen oder ein Moderator sie entfernt. Das öffentliche Verzeichnis behält dann, dass es eine Bewertung gab, ihre Sterne und den Monat, aber nicht Ihre Worte.',
        'Lehnen wir sie ab, sagen wir Ihnen warum, und Sie können innerhalb von sechs Monaten widersprechen.',
      ],
      forwarded: (name) => [
        'Nichts davon wird veröffentlicht. Ihre Beschwerde zählt nur in den Zahlen des Brokers.',
        `Mitarbeiter dieses Dienstes lesen sie. Der Broker bekommt Ihren Text, Ihren Wunsch und den Namen, mit dem Sie hier angemeldet sind: „${name}“.`,
        'Antwortet der Broker innerhalb von 15 Tagen, gilt das als rechtzeitig. Nach 60 Tagen ohne Antwort endet die Beschwerde als ungelöst.',
        'Wir heben den Text auf, bis Sie Ihre Daten löschen. Danach bleiben nur Tage und Ergebnis, ohne Sie.',
      ],
      unsent: [
        'Nichts davon wird veröffentlicht. Ihre Beschwerde zählt nur in den Zahlen des Brokers.',
        'Mitarbeiter dieses Dienstes lesen sie. Sie haben Nein gesagt: Der Broker bekommt sie nicht, und wir schließen sie ohne eine Antwort des Brokers.',
        'Wir heben den Text auf, bis Sie Ihre Daten löschen. Danach bleiben nur Tage und Ergebnis, ohne Sie.',
      ],
    },
    send: { review: 'Die Bewertung senden', complaint: 'Die Beschwerde senden' },
  },
  ended: {
    title: 'Sie wurden abgemeldet, während Sie schrieben',
    text: 'Ihr Text steht unten, ist aber nicht gespeichert. Melden Sie sich in dem neuen Fenster an, das der Link öffnet. Kommen Sie dann zu diesem zurück und senden Sie das Formular noch einmal.',
    again:
      'Sie haben sich inzwischen angemeldet. Ihr Text steht unten, ist aber nicht gespeichert. Senden Sie das Formular noch einmal.',
    signIn: 'In einem neuen Fenster anmelden',
  },
  obstacles: {
    too_many_drafts: (most) =>
      `Sie haben ${most} Texte, die nicht gesendet sind. Dieser ist nicht gespeichert. Senden oder löschen Sie einen der anderen, und speichern Sie dann diesen: Er steht noch unten im Formular.`,
    title: 'Das können Sie jetzt nicht senden',
    review_exists:
      'Sie haben schon eine Bewertung dieses Brokers, die wartet oder veröffentlicht ist. Ziehen Sie zuerst diese zurück.',
    state_conflict:
      'Dieser Broker nimmt keine Bewertungen und Beschwerden mehr an: Es gibt ihn nicht mehr, oder ein anderer hat ihn übernommen.',
    stale:
      'Dieser Text wurde geändert, gesendet oder gelöscht, seit die Seite gemacht wurde. Sehen Sie ihn noch einmal an.',
    rate_limited: (time) =>
      `Sie haben so viele Beschwerden gesendet, wie ein Konto innerhalb von 24 Stunden darf. Die nächste geht ab ${time}. Ihr Text bleibt, bis Sie abgemeldet sind, und das geschieht vorher, wenn Sie zwei Stunden keine Seite öffnen: Speichern Sie eine Kopie davon.`,
    kyc_required: 'Ihre Identität ist nicht geprüft. Ihr Text bleibt gespeichert.',
    other: 'Das hat nicht geklappt. Ihr Text bleibt gespeichert. Versuchen Sie es in einer Minute noch einmal.',
    mine: 'Was ich geschrieben habe',
  },
};
