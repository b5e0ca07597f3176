import type { Texts } from '../en.ts';

/** Texts of the pages of a broker in German. */
export const broker: Texts['broker'] = {
  title: (name) => `${name}: Wertung, Lizenzen, Warnungen und Bewertungen`,
  description: (name, rating) =>
    `${name}: ${rating}. Lizenzen, Warnungen von Behörden, Beschwerden und Bewertungen, jeweils mit Quelle.`,
  onThisPage: 'Auf dieser Seite',
  sections: {
    warnings: 'Warnungen von Behörden',
    score: 'Wie die Wertung zustande kommt',
    history: 'Wie sich die Wertung änderte',
    check: 'Diese Wertung prüfen',
    unknown: 'Was nicht bekannt ist',
    licences: 'Lizenzen',
    firm: 'Die Firma',
    disclosures: 'Was sie offenlegt',
    complaints: 'Beschwerden',
    reviews: 'Bewertungen',
    moderation: 'Wie ihre Bewertungen geprüft wurden',
    sources: 'Quellen',
    takePart: 'Bewerten oder sich beschweren',
  },
  yes: 'Ja',
  no: 'Nein',
  notChecked: 'Nicht geprüft',
  never: 'nie',
  none: 'keine',
  source: 'Quelle',
  opensElsewhere: (host) => `bei ${host}`,

  alarm: {
    clone: 'Verdacht auf Klon',
    cloneText: 'Sie gibt sich vermutlich als eine andere Firma aus. Schicken Sie ihr weder Geld noch Unterlagen.',
    warned: { one: 'Warnung einer Behörde', other: '{n} Warnungen von Behörden' },
    unchecked: { one: 'Eine Warnung, noch nicht bestätigt', other: '{n} Warnungen, noch nicht bestätigt' },
    uncheckedText:
      'Automatisch zugeordnet nach LEI oder Lizenznummer. Noch hat niemand geprüft, ob es diese Firma ist.',
    unlicensed: 'Keine Lizenz ist bestätigt',
    unlicensedText:
      'Wir konnten keine gültige Lizenz bestätigen. Zahlen Sie nichts ein, solange Sie die Firma nicht im Register der Aufsicht selbst gefunden haben.',
    unlicensedLink: 'Was über ihre Lizenzen bekannt ist',
    impersonated: 'Jemand gibt sich als diese Firma aus',
    impersonatedText:
      'Die Warnung nennt diese Firma als Opfer und senkt ihre Wertung nicht. Vergleichen Sie Domain und Lizenznummer.',
  },
  ended: {
    ceased: 'Dieser Broker hat sein Geschäft eingestellt',
    merged: 'Dieser Broker ist in einem anderen aufgegangen',
    text: 'Er wird nicht mehr bewertet und nimmt weder Bewertungen noch Beschwerden an.',
    successor: 'Sein Geschäft übernahm',
  },

  hero: {
    outOf: 'von 100',
    scale: (value, word) => `${value} auf einer Skala von 0 bis 100: ${word}`,
    emptyScale: 'Eine Skala von 0 bis 100 ohne Wert',
    neverChecked: 'Seine Lizenzen wurden nie mit den Registern verglichen, darum gibt es keine Wertung.',
    held: (from, to) => `auf ${to} begrenzt, die Teile ergeben ${from}`,
    lastCheck: 'Letzte Prüfung',
    neverCheckedShort: 'Nie',
    stale: { one: 'Stand von 1 Lizenz veraltet', other: 'Stand von {n} Lizenzen veraltet' },
    licences: 'Lizenzen',
    bestTier: (tier) => `beste Stufe ${tier} von 4`,
    reviews: 'Bewertungen',
    average: (average, count) => `${average} von 5 Sternen, ${count}`,
    complaints: 'Beschwerden',
    closed: { one: '1 abgeschlossen', other: '{n} abgeschlossen' },
    overdue: { one: '1 überfällig', other: '{n} überfällig' },
    resolved: (count) => `${count} gelöst`,
    evidence: 'Belege',
  },
  reviewCount: { one: '1 Bewertung', other: '{n} Bewertungen' },

  score: {
    lead: (value, word) =>
      `${value} von 100, „${word}“, ist die Summe von fünf Teilen, jeder mit einem festen Gewicht.`,
    cappedLead: (value, word, raw) =>
      `${value} von 100, „${word}“: Die fünf Teile, jeder mit einem festen Gewicht, ergeben ${raw}, ` +
      'und eine Grenze senkt das.',
    unratedLead:
      'Es gibt keine Wertung. Die Teile stehen hier, soweit sie bekannt sind; zusammen ergeben sie kein Urteil.',
    caption: 'Die Teile der Wertung',
    part: 'Teil',
    points: 'Punkte',
    weight: 'Gewicht',
    contribution: 'Beitrag',
    sum: 'Summe der Teile',
    value: 'Wertung',
    bar: (contribution, most) => `${contribution} von höchstens ${most}`,
    noEntity: 'Keine Gesellschaft ist bekannt.',
    regulation: (strongest, weakest, entities) =>
      `Der Mittelwert der stärksten (${strongest}) und der schwächsten (${weakest}) von ${entities}.`,
    entities: { one: '1 Gesellschaft', other: '{n} Gesellschaften' },
    noReviews: 'Keine Bewertung ist veröffentlicht: das zählt wie 3 Sterne.',
    userRating: (stars, reviews) =>
      `${stars} Sterne aus ${reviews}. Alte zählen weniger, und wenige halten den Wert nahe 3 Sternen.`,
    noComplaints:
      'Keine Beschwerde einer geprüften Person wurde in 36 Monaten abgeschlossen oder überfällig. ' +
      'Das zählt als bester Fall und beweist wenig.',
    complaints: (closed, resolved, timely) =>
      `Von ${closed} in 36 Monaten abgeschlossenen oder überfälligen wurden ${resolved} gelöst ` +
      `und ${timely} rechtzeitig beantwortet.`,
    transparency: (met, total) =>
      `${met} von ${total} Angaben sind offengelegt. Was niemand geprüft hat, zählt als nicht offengelegt.`,
    noYears: 'Von keiner Lizenz, die zählt, ist der Beginn bekannt.',
    longevity: (years) =>
      `${years} Jahre, seit die älteste Lizenz, die zählt, gilt. 20 Jahre geben die volle Punktzahl.`,
    capsTitle: 'Grenzen',
    noCaps: 'Keine Grenze gilt.',
    cap: (limit, reason) => `Höchstens ${limit}: ${reason}`,
    caps: {
      noScoringLicense: 'keine Zulassung ihrer Gesellschaften gilt, auch keine eingeschränkte.',
      onlyLowTiers: 'jede Zulassung, die zählt, ist von einer Behörde der Stufe 3 oder 4.',
      fewReviews: 'weniger als 10 Bewertungen zählen, nachdem alte verblasst sind.',
      officialWarning: 'eine Behörde warnt vor dieser Firma und hat die Warnung nicht zurückgezogen.',
      uncheckedWarning: 'eine Warnung wurde dieser Firma automatisch zugeordnet, und noch hat das niemand geprüft.',
    },
    capLowers: (from, to) => `Die niedrigste Grenze senkt die Wertung von ${from} auf ${to}.`,
    capIdle: 'Die Teile ergeben weniger als das, darum wird nichts abgezogen.',
    evidenceTitle: 'Belege',
    levels: { low: 'schwach belegt', medium: 'mäßig belegt', high: 'gut belegt' },
    evidence: (level, reviews) => `Die Wertung ist ${level}: ${reviews}, nachdem alte verblasst sind.`,
    effective: { one: '1 Bewertung zählt', other: '{n} Bewertungen zählen' },
    interval: (low, high) =>
      `Nach Zahl und Streuung der Bewertungen könnte die Wertung ebenso gut zwischen ${low} und ${high} liegen. ` +
      'Alles andere gilt als genau.',
    fixed: 'Andere Bewertungen derselben Art würden die Wertung nicht ändern.',
    computed: (time, version) => `Berechnet am ${time} nach Methodik ${version}.`,
    methodology: 'Wie gerechnet wird',
  },

  history: {
    missing: 'Die Aufzeichnung der Wertungen kann gerade nicht gelesen werden.',
    all: 'Jede Änderung mit ihrem Grund',
  },

  unknown: {
    lead: 'Nicht bekannt heißt nicht null, und auch nicht gut.',
    nothing: 'Von dem, was wir suchen, fehlt nichts.',
    neverChecked: 'Ob ihre Lizenzen gelten: sie wurden nie mit den Registern verglichen.',
    noLicences: 'Irgendeine Lizenz: keine ist bekannt. Ob sie eine braucht, hängt davon ab, wo ihre Kunden leben.',
    noEntities: 'Mit welcher Gesellschaft Kunden einen Vertrag schließen.',
    unverified: {
      one: 'Ob es 1 Lizenz gibt: ihr Register bestätigt sie noch nicht.',
      other: 'Ob es {n} Lizenzen gibt: ihre Register bestätigen sie noch nicht.',
    },
    stale: {
      one: 'Ob der Stand von 1 Lizenz noch stimmt: ihre Quelle wurde zu lange nicht geöffnet, oder nie.',
      other: 'Ob der Stand von {n} Lizenzen noch stimmt: ihre Quellen wurden zu lange nicht geöffnet, oder nie.',
    },
    undated: {
      one: 'Seit wann 1 Lizenz ihren heutigen Stand hat.',
      other: 'Seit wann {n} Lizenzen ihren heutigen Stand haben.',
    },
    uncheckedWarnings: {
      one: 'Ob 1 Warnung diese Firma meint: sie wurde automatisch zugeordnet.',
      other: 'Ob {n} Warnungen diese Firma meinen: sie wurden automatisch zugeordnet.',
    },
    contradicted: {
      one: 'Wer bei 1 Angabe recht hat, in der sich Quellen widersprechen.',
      other: 'Wer bei {n} Angaben recht hat, in denen sich Quellen widersprechen.',
    },
    checklist: (items) =>
      `Ob sie Folgendes offenlegt: ${items}. Niemand hat es geprüft; in der Wertung zählt es als nicht offengelegt.`,
    noReviews: 'Was Kunden berichten: keine Bewertung ist veröffentlicht.',
    noComplaints: 'Wie sie mit Beschwerden umgeht: keine wurde abgeschlossen.',
    foundedYear: 'Wann sie gegründet wurde.',
    lei: 'Ihre LEI, die Nummer, die eine Firma weltweit kennzeichnet.',
  },

  licences: {
    lead:
      'Eine Lizenz gilt für die Gesellschaft, die sie hat, und für keine andere. ' +
      'Lesen Sie nach, mit welcher Sie einen Vertrag schließen würden.',
    empty: 'Keine Lizenz dieses Brokers ist bekannt.',
    emptyText:
      'Suchen Sie ihn im Register der Behörde, die er nennt. Wer in keinem Register steht, hat keine Aufsicht, ' +
      'bei der Sie sich beschweren können.',
    statuses: {
      pending: 'Beantragt',
      active: 'Gültig',
      restricted: 'Gültig mit Auflagen',
      suspended: 'Ausgesetzt',
      withdrawn: 'Zurückgegeben',
      revoked: 'Entzogen',
      expired: 'Abgelaufen',
      unverified: 'Vom Register nicht bestätigt',
    },
    since: (day) => `seit ${day}`,
    sinceUnknown: 'seit wann, ist nicht bekannt',
    tiers: {
      1: 'Stufe 1 von 4, die stärkste',
      2: 'Stufe 2 von 4',
      3: 'Stufe 3 von 4, schwache Aufsicht',
      4: 'Stufe 4 von 4, kaum Aufsicht',
    },
    regulator: 'Behörde',
    holder: 'Inhaberin',
    number: 'Nummer',
    type: 'Art',
    types: {
      authorisation: 'Zulassung: die Firma wird hier beaufsichtigt',
      passport: 'Europäischer Pass: beruht auf einer Lizenz anderswo',
      registration: 'Eintragung: geführt, nicht beaufsichtigt',
    },
    granted: 'Erteilt',
    expires: 'Endet',
    checked: 'Zuletzt geprüft',
    stale: 'zu lange her: der Stand kann veraltet sein',
    counts: 'In der Wertung',
    countsYes: 'Zählt',
    countsNo: 'Zählt nicht',
    notListed: 'Zählt nicht: die Inhaberin ist keine der bekannten Gesellschaften',
    permissions: { one: '1 Erlaubnis', other: '{n} Erlaubnisse' },
    register: 'Eintrag im Register',
    saidBy: (who) => `Veröffentlicht nach Angabe von: ${who}.`,
  },

  firm: {
    legalName: 'Firma',
    tradingNames: 'Auch bekannt als',
    lei: 'LEI',
    country: 'Land',
    founded: 'Gegründet',
    website: 'Website',
    domains: 'Domains',
    predecessors: 'Vorher',
    renamed: (name, day) => `hieß bis ${day} ${name}`,
    merged: (name, day) => `${name}, am ${day} darin aufgegangen; Bewertungen und Beschwerden zählen hier`,
    successor: 'Nachfolger',
    entities: 'Juristische Personen',
    entitiesLead: 'Kunden schließen mit einer von ihnen einen Vertrag. Ihr Name steht darin.',
    entity: 'Juristische Person',
    retail: 'Privat\u00adkunden',
    supervision: 'Aufsicht, 0–100',
    noEntities: 'Keine Gesellschaft ist bekannt.',
  },

  disclosures: {
    lead: (met, total) => `${met} von ${total} Angaben sind offengelegt.`,
    caption: 'Was ein Broker auf seiner Website offenlegen sollte',
    item: 'Angabe',
    met: 'Offengelegt',
    checked: 'Geprüft',
    items: {
      legalEntity: 'die Gesellschaft, mit der Kunden einen Vertrag schließen',
      registerLink: 'ein Link zu ihrem Eintrag im Register',
      fees: 'alle Gebühren',
      executionPolicy: 'wie Aufträge ausgeführt werden',
      clientMoney: 'wie Kundengeld verwahrt wird',
      riskWarning: 'eine Warnung vor dem Risiko mit eigenen Verlustzahlen',
      complaintProcedure: 'wie man sich beschwert',
      leverage: 'der angebotene Hebel',
      address: 'ihre Anschrift',
      ownership: 'wem sie gehört',
    },
  },

  complaints: {
    lead: 'Beschwerden selbst sind vertraulich; dies sind ihre Zahlen über die ganze Zeit.',
    empty: 'Über diesen Broker kam hier keine Beschwerde an.',
    emptyText: 'Wenige wissen, dass sie sich hier beschweren können, darum beweist das wenig.',
    caption: 'Beschwerden in Zahlen',
    measure: 'Was gezählt wird',
    number: 'Zahl',
    open: 'Offen: in Bearbeitung und nicht überfällig',
    overdue: 'Überfällig: mehr als 15 Tage ohne Antwort des Brokers',
    closed: 'Abgeschlossen: gelöst oder ungelöst',
    resolved: 'Von den abgeschlossenen gelöst',
    timely: 'Von den abgeschlossenen binnen 15 Tagen beantwortet',
    median: 'Zeit bis zu seiner Antwort, Median',
    days: { one: '1 Tag', other: '{n} Tage' },
    noneClosed: 'keine ist abgeschlossen',
    ofClosed: (count, closed) => `${count} von ${closed}`,
    noAnswer: 'er hat keine beantwortet',
    counting: 'Für die Wertung zählen nur Beschwerden von Personen mit geprüfter Identität.',
  },

  reviews: {
    title: (name) => `Bewertungen von ${name}`,
    description: (name) =>
      `Alle veröffentlichten Bewertungen von ${name}, die neuesten zuerst, mit den Antworten des Brokers.`,
    summary: (average, count) => `${average} von 5 Sternen, der einfache Mittelwert aus ${count}.`,
    weighted: (stars) =>
      `In die Wertung gehen ${stars} Sterne ein: alte Bewertungen verblassen, und wenige halten den Wert nahe 3.`,
    empty: 'Keine Bewertung einer Person mit geprüfter Identität ist veröffentlicht.',
    emptyText: 'Für die Wertung zählt das wie 3 von 5 Sternen, weder gut noch schlecht.',
    rated: (rating) => `${rating} von 5 Sternen`,
    verified: 'Identität geprüft',
    unverified: 'Identität nicht geprüft: zählt nicht',
    verifiedMeans: 'Eine geprüfte Identität sagt, wer schreibt, nicht, dass die Person Kunde ist.',
    newest: 'Die neuesten zuerst:',
    all: 'Alle Bewertungen lesen',
    more: 'Weiterlesen',
    reply: 'Antwort des Brokers',
    permalink: 'Link zu dieser Bewertung',
    older: 'Ältere Bewertungen',
    newestPage: 'Zu den neuesten Bewertungen',
    back: (name) => `Zurück zu ${name}`,
    shown: (reviews) => `${reviews} auf dieser Seite, die neuesten zuerst.`,
    noFilter:
      'Sie stehen in der Reihenfolge ihrer Veröffentlichung; keine veröffentlichte ist ausgelassen oder vorgezogen.',
    end: 'Das sind die ältesten Bewertungen.',
  },

  moderation: {
    lead:
      'Menschen lesen jede Bewertung, bevor sie veröffentlicht wird. ' +
      'Eine schlechte Note ist nie ein Grund, sie abzulehnen.',
    missing: 'Diese Zahlen können gerade nicht gelesen werden. Laden Sie die Seite in ein paar Sekunden neu.',
    caption: 'Was aus den eingesandten Bewertungen wurde',
    outcome: 'Ergebnis',
    reviews: 'Bewertungen',
    received: 'Eingegangen',
    published: 'Veröffentlicht',
    pending: 'Warten auf eine Entscheidung',
    withheld: 'Zurückgehalten, während eine Beanstandung geprüft wird',
    withdrawn: 'Von ihren Verfassern zurückgezogen',
    rejected: 'Abgelehnt',
    removed: 'Nach der Veröffentlichung entfernt',
    reasonsCaption: 'Warum Bewertungen abgelehnt oder entfernt wurden',
    reason: 'Grund',
    noReasons: 'Keine Bewertung wurde abgelehnt oder entfernt.',
    reasons: {
      not_a_review: 'erzählt nicht von einer Leistung, die der Verfasser nutzte',
      personal_data: 'nennt eine Privatperson oder macht sie erkennbar',
      insult: 'beleidigt oder bedroht Menschen',
      advertising: 'wirbt für etwas oder wurde bezahlt',
      off_topic: 'handelt von etwas anderem',
      duplicate: 'wiederholt eine andere Bewertung',
      unlawful: 'ihre Veröffentlichung bricht ein Gesetz',
      conflict_of_interest: 'der Verfasser arbeitet für den Broker oder einen Mitbewerber',
      other_with_text: 'verstößt auf andere Weise gegen die Bedingungen',
      merged: 'der Verfasser hat eine andere Bewertung des Brokers, der diesen übernahm',
    },
    reports: (received, upheld, open) =>
      `Meldungen von Bewertungen: ${received} eingegangen, ${upheld} führten zur Entfernung, ${open} offen.`,
    appeals: (received, reversed, open) =>
      `Einsprüche gegen Entscheidungen: ${received} eingegangen, ${reversed} hatten Erfolg, ${open} offen.`,
    operators: (added, alone) =>
      `Mitarbeiter dieses Dienstes bisher: ${added}. Davon bekamen ${alone} ihren Zugang von einem Verwalter allein. Wer nach einer Entscheidung dazukam, entscheidet nie über einen Einspruch gegen sie.`,
  },

  warnings: {
    noneKnown: 'Hier ist keine Warnung vor dieser Firma bekannt.',
    noneText: 'Das macht sie nicht sicher: Behörden warnen oft spät oder gar nicht.',
    about: {
      this_firm: 'Vor dieser Firma.',
      clone_of_it: 'Vor jemandem, der sich als diese Firma ausgibt. Ihre Wertung sinkt dadurch nicht.',
      not_this_firm: 'Nicht vor dieser Firma.',
    },
    unchecked: 'Nicht bestätigt: automatisch zugeordnet nach LEI oder Lizenznummer. Noch hat das niemand geprüft.',
    confirmed: 'Ein Mensch hat bestätigt, dass es diese Firma ist.',
    withdrawn: (day) => `Von der Behörde am ${day} zurückgezogen. Sie zählt nicht mehr.`,
    corrected: (day) => `Sie stand hier bis ${day} aus Versehen. Sie zählt nicht.`,
    notThisFirm: 'Sie stand hier aus Versehen. Sie zählt nicht.',
    counts: 'Solange sie gilt, beträgt die Wertung höchstens 19.',
    read: 'Bei der Behörde lesen',
    published: (day) => `veröffentlicht am ${day}`,
    publishedBy: (day) => `veröffentlicht spätestens am ${day}`,
    byDay: 'spätestens am',
  },

  sources: {
    lead: 'Woher die Angaben stammen. Lizenzen, Warnungen und Offenlegungen nennen ihre Quelle gleich daneben.',
    empty: 'Keine weitere Quelle ist genannt.',
    opened: 'zuletzt geöffnet',
    saidBy: 'Wer es sagt',
    facts: {
      legalName: 'Firma',
      name: 'Name',
      entities: 'Juristische Personen',
      foundedYear: 'Gründungsjahr',
      website: 'Website',
      domains: 'Domains',
      country: 'Land',
      lei: 'LEI',
      tradingNames: 'Weitere Namen',
      description: 'Beschreibung',
      status: 'Zustand der Firma',
      licenses: 'Lizenzen',
      licensesCheckedAt: 'Letzte Prüfung der Lizenzen',
      checklist: 'Offenlegungen',
      warnings: 'Warnungen',
      profile: 'Profil',
    },
    kinds: {
      authority: 'eine Behörde',
      register: 'das Register einer Behörde',
      calendar: 'der Kalender: ihr letzter Tag ist vorbei',
      editor: 'die Redaktion dieses Dienstes',
      dataset: 'ein fremder Datenbestand',
      broker: 'der Broker über sich selbst',
      reference: 'Grunddaten dieses Dienstes',
    },
    who: (kind, name) => `${kind} (${name})`,
    disagree: 'Quellen widersprechen sich',
    disagreeLead: 'Eine stärkere Quelle oder die Redaktion sagt etwas anderes, und das zeigt diese Seite.',
    says: 'Sagt stattdessen',
    asOf: 'Stand',
    because: 'Nicht gezeigt, weil',
    rank: 'Eine stärkere Quelle sagt etwas anderes.',
    machine: 'Das alles als Daten',
  },

  takePart: {
    noSignIn:
      'Diese Website hat keine Anmeldung. Beides geht über eine App, die diesen Dienst nutzt, ' +
      'oder über seine API mit einem Token seines Betreibers.',
    review: 'Eine Bewertung schreiben',
    reviewText:
      'Sie brauchen eine geprüfte Identität, damit niemand zweimal schreibt. Menschen lesen jede Bewertung, ' +
      'bevor sie veröffentlicht wird, und der Broker kann antworten.',
    complain: 'Sich beschweren',
    complainSteps: [
      'Beschweren Sie sich zuerst schriftlich beim Broker, und heben Sie seine Antwort auf.',
      'Hilft das nicht, gehen Sie zur Aufsicht der Gesellschaft, mit der Sie den Vertrag haben.',
      'Beschweren Sie sich auch hier: Mit Ihrer Erlaubnis geht die Beschwerde an den Broker, und sie zählt in den Zahlen ' +
        'oben. Sie bleibt vertraulich.',
    ],
    procedure: 'Wie der Broker Beschwerden möchte',
    regulators: 'Wo Behörden Beschwerden annehmen',
    ended: 'Diesen Broker gibt es nicht mehr. Er nimmt weder Bewertungen noch Beschwerden an.',
    how: 'Wie man eine Bewertung oder Beschwerde einsendet',
  },
};
