import type { operator as english } from '../en/operator.ts';

/** Texts of the pages about who answers for the service, in German. */
export const operator: typeof english = {
  pages: {
    about: 'Über den Dienst',
    contact: 'Kontakt',
    imprint: 'Impressum',
    privacy: 'Datenschutz',
    terms: 'Bedingungen',
    corrections: 'Berichtigungen',
    moderation: 'Moderation',
    independence: 'Unabhängigkeit',
  },
  label: 'Wer für diesen Dienst einsteht',
  notStated: 'Der Betreiber hat das nicht angegeben.',
  nobody: 'Der Betreiber dieses Dienstes hat nicht angegeben, wer er ist. Niemand steht hier für ihn ein.',
  report: 'Um das zu melden, senden Sie die Nummer an',
  facts: {
    name: 'Betreiber',
    address: 'Anschrift',
    country: 'Land',
    contact: 'Kontakt',
    representative: 'Vertreten durch',
    editor: 'Verantwortlich für die Texte',
    register: 'Registereintrag',
    vatId: 'Umsatzsteuer-Identifikationsnummer',
    supervisor: 'Zuständige Aufsicht',
    privacyContact: 'Datenschutz',
    correctionsContact: 'Berichtigungen',
    securityContact: 'Sicherheit',
  },
  about: {
    title: 'Über diesen Dienst',
    description: 'Was dieser Dienst tut, wie er arbeitet und wer ihn betreibt.',
    lead: 'Dieser Dienst veröffentlicht, was über Devisenbroker bekannt ist: Lizenzen, Warnungen, Beschwerden, Bewertungen und eine Wertung, die jeder nachrechnen kann.',
    sections: [
      {
        title: 'So arbeitet er',
        text: [],
        points: [
          'Lizenzen stammen aus den Registern der Aufsichtsbehörden, Warnungen aus den Listen der Behörden. Jede Angabe nennt ihre Quelle.',
          'Eine Wertung folgt aus veröffentlichten Angaben nach veröffentlichten Regeln. Niemand setzt sie von Hand.',
          'Über jede hier gesendete Bewertung entscheidet ein Mensch, bevor sie erscheint. Beschwerden werden nie veröffentlicht, nur ihre Anzahl.',
          'Jede Änderung ist ein Eintrag in einem öffentlichen Verzeichnis, das jeder kopieren und prüfen kann.',
        ],
      },
      {
        title: 'Was er nicht ist',
        text: [
          'Er ist keine Anlageberatung und keine Billigung einer Firma. Dass keine Warnung bekannt ist, heißt nicht, dass eine Firma ehrlich ist.',
          'Er kann Ihr Geld nicht zurückholen. Beschweren Sie sich bei der Firma und ihrer Aufsicht.',
        ],
      },
    ],
  },
  contact: {
    title: 'Kontakt',
    description: 'So erreichen Sie den Betreiber dieses Dienstes.',
    lead: 'Diese Adressen hat der Betreiber angegeben.',
    sections: [
      {
        title: 'Bevor Sie schreiben',
        text: [],
        points: [
          'Etwas über eine Firma ist falsch: Unter „Berichtigungen“ steht, was wir brauchen.',
          'Eine Firma zahlt Ihnen nichts aus: Auf ihrer Seite steht, wie Sie sich beschweren und wer sie beaufsichtigt.',
          'Wer Geld verlangt, um Ihr Geld zurückzuholen, gehört nicht zu uns.',
        ],
      },
    ],
  },
  imprint: {
    title: 'Impressum',
    description: 'Wer diesen Dienst betreibt, nach Angabe des Betreibers.',
    lead: 'Der Betreiber steht für das ein, was dieser Dienst veröffentlicht.',
    sections: [],
  },
  privacy: {
    title: 'Datenschutz',
    description: 'Was dieser Dienst über Menschen speichert, wie lange, und wer es sieht.',
    lead: 'Sie können hier alles ohne Konto und ohne Cookie lesen. Nur wer sich anmeldet, bekommt Cookies, und nur die dafür nötigen: Eines merkt sich zehn Minuten lang, dass dieser Browser gefragt hat, eines sagt, dass Sie es sind, bis Sie sich abmelden, höchstens einen Tag lang. Ihr Browser sendet nichts an andere Websites.',
    sections: [
      {
        title: 'Wenn Sie nur lesen',
        text: [
          'Mit Ihrer Internetadresse werden Ihre Anfragen eine Minute lang gezählt, damit niemand den Dienst überlastet. Sie wird nicht zusammen mit dem gespeichert, was Sie lesen.',
          'Das Land, das Sie wählen, steht nur in der Adresse der Seite. Die Firma, die Sie auf einen Klon prüfen, wird weder gespeichert noch protokolliert.',
          'Wird eine Anfrage wegen falscher oder fehlender Zugangsdaten abgelehnt, hält das Protokoll des Dienstes Ihre Internetadresse fest. Server des Betreibers vor dem Dienst können eigene Protokolle führen. Wie lange, entscheidet der Betreiber.',
        ],
      },
      {
        title: 'Nach einer Löschung',
        text: ['Eine Löschung entfernt alles oben Genannte. Es bleibt:'],
        points: [
          'von einer Beschwerde: ihre Art, ihre Zustände, ihre Daten und Kennzeichen, ohne Text und Namen;',
          'in der internen Liste der Änderungen: Zahlen und Zustände, und Kennungen, die für Sie stehen;',
          'eine Prüfsumme Ihrer Kennung, damit eine Sicherung Sie nicht zurückbringt, und bei Gesperrten, damit die Sperre hält;',
          'im öffentlichen Verzeichnis: ein zufälliger Code anstelle Ihres Textes, aus dem niemand den Text erraten kann;',
          'in Sicherungen: alles, bis der Betreiber sie löscht. Nach dem Einspielen wird die Löschung wiederholt.',
        ],
      },
      {
        title: 'Wer es noch sieht',
        text: [
          'Ein Broker erhält eine Beschwerde nur, wenn Sie zugestimmt haben. Veröffentlichte Bewertungen und ihre Anzeigenamen sind öffentlich; jeder kann sie kopieren.',
          'Weitere Empfänger, etwa für Hosting oder Mail, muss der Betreiber nennen. Fragen Sie ihn, wenn Sie es wissen möchten.',
        ],
      },
      {
        title: 'Kunden',
        text: [
          'Anfragen von Organisationen mit einer Vereinbarung werden mit Zeit, Internetadresse und Pfad festgehalten, je nach Tarif 90 oder 400 Tage.',
        ],
      },
      {
        title: 'Ihre Rechte',
        text: [
          'Sie können eine Kopie Ihrer Daten verlangen, sie berichtigen und löschen lassen. Haben Sie sich hier angemeldet, so speichern und löschen Sie alles selbst über die Links unten. Für alles andere schreiben Sie an den Kontakt unten. Wem Sie folgen, sehen und beenden Sie über den Link in jeder Mail über einen Broker. Wo das Gesetz es vorsieht, können Sie sich auch bei einer Datenschutzbehörde beschweren.',
        ],
      },
    ],
  },
  kept: {
    title: 'Wenn Sie mitmachen',
    lead: 'Wer Bewertungen und Beschwerden schreibt, hat ein Konto. Wer einem Broker nur per Mail folgt oder eine Bewertung meldet, braucht keines. Wir speichern:',
    parts: {
      accounts:
        'Konto: eine Kennung vom Betreiber oder seinem Anmeldedienst, Ihr Anzeigename, Ihr Land, ob Ihre Identität geprüft ist, und Prüfsummen Ihrer Zugangsschlüssel. Bis zu einer Löschung.',
      reviews:
        'Bewertungen: Text, Sterne und der Stand der Moderation. Veröffentlichte zeigen Ihren Anzeigenamen, und Ihr Land, wenn es bekannt ist. Bis zu einer Löschung.',
      reports:
        'Meldungen und Widersprüche zu Bewertungen, die Entscheidungen darüber, und Hashes der Links, mit denen Sie sie sechs Monate lang lesen. Bis zu einer Löschung. Wenn Sie ohne Konto melden: Ihr Name und Ihre Adresse, bis sechs Monate nach der Entscheidung.',
      complaints:
        'Beschwerden: Text, Betrag, Daten, Belege, Kontakt und die Antwort des Brokers. Bis zu einer Löschung.',
      representatives:
        'Wenn Sie für eine Firma antworten: die Firma, die Adresse im Register ihrer Aufsicht, und seit wann. Bis zu einer Löschung.',
      disputes:
        'Angaben, die Sie für eine Firma bestritten haben: Text und Verweise. Die Angabe, die Tage und das Ergebnis sind öffentlich und bleiben. Bis zu einer Löschung.',
      reviewReplies:
        'Antworten auf Bewertungen, die Sie für eine Firma geschrieben haben. Veröffentlichte sind öffentlich. Bis zu einer Löschung.',
      noticeAddresses:
        'Ihre Mailadresse, wenn dieser Dienst Mails sendet, und die Nachrichten an Sie: 30 Tage nach dem Senden, 90 Tage, wenn sie nicht ankamen.',
      follows:
        'Wem Sie folgen: Ihre Mailadresse dafür, die Broker, und die Warnungen, die wir Ihnen gemeldet haben. Bis Sie es beenden oder bis zu einer Löschung; eine Anfrage, die niemand bestätigt, wird nach einem Tag gelöscht.',
      drafts:
        'Texte, die Sie nicht gesendet haben: eine Bewertung 30 Tage nach Ihrer letzten Änderung, eine Beschwerde, bis Sie abgemeldet sind: durch Sie, nach zwei Stunden ohne eine Seite, oder nach einem Tag. Früher, wenn Sie sie löschen oder senden.',
      sessions:
        'Solange Sie angemeldet sind: wann Sie sich angemeldet haben, wann zuletzt etwas geschah, und die Adresse oder der Name, den Sie oben sehen. Bis Sie sich abmelden, zwei Stunden nach der letzten Nutzung, und höchstens einen Tag lang. Wer einen Link zum Anmelden anfordert: die Adresse, einen Tag lang.',
      idempotentAnswers:
        'Die Antworten auf das, was Sie senden, um sie nach einem Abbruch der Verbindung zu wiederholen: 24 Stunden.',
    },
    othersLead: 'Wir speichern auch Daten über Menschen, die nicht mitmachen:',
    others: [
      'Kontakte von Brokern: die Mailadressen, die ein Broker oder der Betreiber für Beschwerden und Warnungen genannt hat, und die Nachrichten an sie. Bis der Betreiber sie entfernt.',
      'Menschen, die in Warnungen von Behörden genannt sind: was die Behörde veröffentlicht hat, mit der Quelle. Es bleibt, wenn die Behörde die Warnung zurückzieht, und sagt das dann. Schreiben Sie an den Kontakt unten, wenn etwas über Sie falsch ist.',
    ],
  },
  terms: {
    title: 'Bedingungen',
    description: 'Wie dieser Dienst genutzt werden darf, und die Regeln für Bewertungen.',
    lead: 'Das sind die Regeln, die der Dienst selbst befolgt und durchsetzt.',
    sections: [
      {
        title: 'Was Sie lesen',
        text: [
          'Wertungen und Urteile folgen aus veröffentlichten Angaben nach veröffentlichten Regeln. Sie sind keine Beratung. Angaben können falsch oder verspätet sein: Jede nennt ihre Quelle und ihren Tag.',
          'Sie dürfen auf jede Seite verweisen und Plaketten und Rahmen zeigen, wie sie sind. Ändern Sie nicht, was darin steht, und zeigen Sie sie nicht als Empfehlung.',
          'Die Zahl der Anfragen in einer Minute ist begrenzt. Wie viele es sind, steht in der Dokumentation.',
        ],
      },
      {
        title: 'Was Sie schreiben',
        text: [
          'Ein Mensch liest jede Bewertung, die hier eingeht, bevor sie erscheint. Wenige Sterne sind nie ein Grund, sie abzulehnen. Abgelehnt werden:',
        ],
        points: [
          'Bewertungen eines Dienstes, den der Autor weder genutzt noch versucht hat,',
          'Beleidigungen, Drohungen, Werbung und was von etwas anderem handelt,',
          'Bewertungen von Menschen, die für den Broker oder einen Konkurrenten arbeiten oder belohnt wurden,',
          'zweite Bewertungen desselben Brokers,',
          'persönliche Daten anderer und was das Gesetz verbietet.',
        ],
      },
      {
        title: 'Wenn Sie anderer Meinung sind',
        text: [
          'Wer eine Bewertung schreibt, erfährt zu jeder Entscheidung den Grund. Innerhalb von sechs Monaten ist ein Widerspruch möglich, auch für den, der eine Bewertung gemeldet hat, die blieb. Einmal je Entscheidung.',
        ],
      },
    ],
  },
  further: 'Weitere Bedingungen des Betreibers',
  noFurther: 'Der Betreiber hat keine weiteren Bedingungen angegeben.',
  corrections: {
    title: 'Berichtigungen',
    description: 'Für Broker und alle anderen: was man beanstanden kann, wie lange es dauert und was daraus wurde.',
    lead: 'Ist hier etwas falsch, wollen wir es berichtigen. Das kostet nichts und setzt keine Vereinbarung mit uns voraus.',
    sections: [
      {
        title: 'Was man beanstanden kann',
        text: [],
        points: [
          'Eine Angabe über eine Firma, etwa eine Lizenz, eine Anschrift oder einen Eigentümer. Senden Sie die Seite hier und die Seite des Registers oder der Behörde, auf der es anders steht.',
          'Eine Warnung, die bei der falschen Firma steht. Senden Sie ihre Adresse, und sagen Sie, warum sie jemand anderen meint.',
          'Eine Bewertung. Melden Sie sie über den Link darunter. Sagen Sie, welcher Satz gegen welche Regel der Bedingungen verstößt. Dass sie schlecht ausfällt, ist kein Grund.',
          'Eine Beschwerde über Sie. Sie können darauf antworten. Eine Antwort innerhalb von 15 Tagen gilt als rechtzeitig; nach 60 Tagen ohne Antwort endet sie als ungelöst.',
          'Eine Wertung allein kann man nicht beanstanden: Sie folgt aus den Angaben. Rechnen Sie auf der Seite des Brokers nach, und beanstanden Sie die Angabe, die falsch ist.',
        ],
      },
      {
        title: 'Wie lange es dauert',
        text: [
          'Eine berichtigte Angabe ändert Seite und Wertung in Sekunden. Das Verzeichnis behält den alten Wert, den neuen und die Zeit: Nichts ändert sich heimlich.',
        ],
      },
    ],
  },
  days: {
    one: 'Der Betreiber antwortet auf eine Bitte innerhalb von {n} Tag.',
    other: 'Der Betreiber antwortet auf eine Bitte innerhalb von {n} Tagen.',
  },
  noDays: 'Der Betreiber hat nicht angegeben, innerhalb von wie vielen Tagen er auf eine Bitte antwortet.',
  counts: {
    title: 'Was daraus wurde',
    lead: 'Alle Broker zusammen, seit Beginn dieses Dienstes. Daten eines gelöschten Menschen zählen bei Meldungen und Widersprüchen nicht mehr.',
    caption: 'Anzahl der Beanstandungen',
    matter: 'Sache',
    number: 'Anzahl',
    rows: {
      factsOpen: 'Angaben, die eine Firma bestreitet, noch nicht entschieden',
      factsOverdue: 'davon später, als wir zusagen',
      factsUpheld: 'Angaben, die eine Firma bestritt und die wir geändert haben',
      factsRejected: 'Angaben, die eine Firma bestritt und die bleiben',
      factsWithdrawn: 'Angaben, die eine Firma bestritt und dann nicht mehr',
      reportsReceived: 'Meldungen von Bewertungen',
      reportsOpen: 'davon noch nicht entschieden',
      reportsUpheld: 'davon mit entfernter Bewertung',
      appealsReceived: 'Widersprüche gegen Entscheidungen über Bewertungen',
      appealsOpen: 'davon noch nicht entschieden',
      appealsReversed: 'davon mit aufgehobener Entscheidung',
      warningsWaiting: 'Warnungen, die eine Firma meinen könnten und auf einen Menschen warten',
      warningsUnchecked: 'Warnungen bei einer Firma, die kein Mensch geprüft hat',
      warningsConfirmed: 'Warnungen, die ein Mensch bestätigt hat',
      warningsRejected: 'Warnungen, die nach Prüfung durch einen Menschen jemand anderen meinen und nie gezeigt wurden',
      warningsUndone: 'Warnungen, die bei der falschen Firma standen und berichtigt wurden',
      complaintsOpen: 'Offene Beschwerden über Broker',
      complaintsResolved: 'Gelöste Beschwerden',
      complaintsUnresolved: 'Beschwerden, die ohne Lösung endeten',
      complaintsRejected: 'Beschwerden, die nicht aufgenommen wurden',
      complaintsWithdrawn: 'Zurückgezogene Beschwerden',
    },
    none: 'Bitten per Mail, eine Angabe zu berichtigen, werden nicht gezählt. Jede Berichtigung steht im Verlauf ihres Brokers.',
  },
  moderation: {
    title: 'Moderation',
    description:
      'Wie über Bewertungen entschieden wird, wer widersprechen kann und wie oft Entscheidungen aufgehoben wurden.',
    lead: 'Menschen entscheiden über Bewertungen. Hier stehen die Regeln und die Zahlen, nach denen Sie beurteilen können, wie wir sie einhalten.',
    sections: [
      {
        title: 'So läuft es ab',
        text: [],
        points: [
          'Ein Mensch liest jede hier gesandte Bewertung, bevor sie erscheint. Programme markieren Texte. Sie entscheiden in zwei Fällen: Werden zwei Broker einer, so bleibt je Mensch nur eine Bewertung; und eine Bewertung, die für einige Tage zurückgehalten war, erscheint danach wieder.',
          'Jeder kann eine veröffentlichte Bewertung über den Link darunter melden, ohne Konto. Ihr Verfasser erfährt nie, wer es war.',
          'Verfasser und Meldende bekommen die Entscheidung mit ihren Gründen und können sechs Monate lang widersprechen. Dann entscheidet jemand anderes.',
          'Von jeder Begründung steht ein Code im öffentlichen Verzeichnis, ohne ihren Text. So kann niemand sie später unbemerkt ändern.',
        ],
      },
    ],
  },
  moderationFigures: {
    title: 'In Zahlen',
    lead: 'Alle Broker zusammen, seit Beginn dieses Dienstes, nach dem Stand von jetzt. Daten eines gelöschten Menschen zählen nicht mehr.',
    grounded: 'Abgelehnte oder entfernte Bewertungen nach Grundlage',
    ground: 'Grundlage',
    grounds: { terms: 'Die Bedingungen dieses Dienstes', law: 'Ein Gesetz' },
    cases: 'Meldungen und Widersprüche',
    matter: 'Sache',
    delayTitle: 'Wie lange es dauerte',
    delayLead:
      'Vom Eingang bis zur Entscheidung durch einen Menschen, für alles, was binnen 365 Tagen entschieden wurde. Bewertungen aus einem anderen Dienst zählen oben mit und haben hier keine Zeit: Über sie wurde nicht hier entschieden.',
    delays: 'Tage bis zur Entscheidung',
    delayed: { reviews: 'Neue Bewertungen', reports: 'Meldungen', appeals: 'Widersprüche' },
    decided: 'Entschieden',
    median: 'Die Hälfte binnen',
    p90: 'Neun von zehn binnen',
    days: { one: 'weniger als einem Tag', other: '{n} Tagen' },
    none: 'noch keine Zahl',
  },
  independence: {
    title: 'Unabhängigkeit',
    description: 'Wer diesen Dienst bezahlt, welche Kunden Broker sind, und warum Geld nichts ändert.',
    lead: 'Keine Zahlung, kein Tarif und keine Vereinbarung ändert eine Wertung, eine Reihenfolge, eine Zuordnung, eine Entscheidung oder einen Text.',
    sections: [
      {
        title: 'So können Sie das prüfen',
        text: [],
        points: [
          'Die Regeln der Wertung sind öffentlich und kennen keine Kunden. Sie können jede Wertung nachrechnen.',
          'Die Reihenfolge von Listen folgt aus den Wertungen, bei gleichen aus den Adressen hier. Es gibt keinen bezahlten Platz und keine Werbung.',
          'Der Teil des Programms, der Kunden kennt, steht für sich: Eine automatische Prüfung schlägt fehl, wenn ihn ein öffentlicher Teil benutzt.',
          'Ein Test gibt zufälligen Kunden zufällige Tarife und Schlüssel und vergleicht die öffentlichen Antworten Byte für Byte mit denen davor.',
        ],
      },
    ],
  },
  funding: 'Wer bezahlt',
  customers: {
    title: 'Kunden, die Broker sind oder zu einem gehören',
    none: 'Von keinem Kunden ist angegeben, dass er ein Broker ist oder zu einem gehört.',
    total: {
      one: '{n} Kunde hat eine gültige Vereinbarung.',
      other: '{n} Kunden haben eine gültige Vereinbarung.',
    },
    noCustomers: 'Kein Kunde hat eine gültige Vereinbarung.',
    caption: 'Kunden mit einem Interesse an einem Broker',
    customer: 'Kunde',
    broker: 'Broker',
    agreement: 'Vereinbarung',
    open: (since) => `angenommen am ${since}, kein Ende festgelegt`,
    ending: (since, until) => `angenommen am ${since}, endet am ${until}`,
    person: 'Eine Privatperson',
    lead: 'Der Betreiber gibt das mit der Vereinbarung an. Privatpersonen werden nicht genannt.',
  },
};
