/** Texts of signing in and out. */
export const signIn = {
  title: 'Anmelden',
  isIn: 'Sie sind angemeldet',
  none: 'Hier kann sich niemand anmelden: Der Betreiber dieses Dienstes hat keine Anmeldung eingerichtet.',
  programs: 'Programme nutzen die API mit einem Token des Betreibers:',
  cookie:
    'Die Anmeldung setzt nur die Cookies, die sie braucht: Eines merkt sich zehn Minuten lang, dass dieser Browser gefragt hat, eines sagt, dass Sie es sind, bis Sie sich abmelden, höchstens einen Tag lang.',
  provider: {
    lead: 'Sie melden sich beim Identitätsanbieter dieses Dienstes an, auf dessen eigener Seite. Dann kommen Sie hierher zurück.',
    go: 'Zur Anmeldung',
  },
  link: {
    lead: 'Wir senden einen Link an Ihre Adresse. Er gilt einmal, 10 Minuten lang, in diesem Browser. Sie brauchen kein Passwort.',
    demo: 'Das ist eine Demo: Sie sendet keine Mail. Der Link steht im Terminal, in dem die Demo läuft. Jede Adresse ist recht.',
    address: 'Ihre Mailadresse',
    noAddress: 'Das ist keine Mailadresse. Eine sieht so aus: name@mail.example.',
    ask: 'Link senden',
    askedTitle: 'Sehen Sie in Ihre Mail',
    asked: (address: string) =>
      `Wir senden einen Link an ${address}. Öffnen Sie ihn in diesem Browser, und drücken Sie dort auf den Knopf.`,
    printedTitle: 'Sehen Sie ins Terminal',
    printed: (address: string) =>
      `Das Terminal dieser Demo zeigt einen Link für ${address}. Öffnen Sie ihn in diesem Browser, und drücken Sie dort auf den Knopf.`,
    elsewhere: 'Öffnen Sie den Link auf einem anderen Gerät, dann zeigt er dort einen Code. Geben Sie ihn hier ein.',
    code: 'Code',
    wrong: 'Das ist nicht der Code des Links. Nach fünf falschen Codes gilt der Link nicht mehr.',
    enter: 'Anmelden',
    nothing:
      'Nichts gekommen? Sehen Sie bei der unerwünschten Mail nach. Eine Adresse bekommt nur einige Links am Tag.',
    again: 'Noch einmal anfordern',
    hereTitle: 'Anmelden',
    here: (address: string) => `Sie möchten sich als ${address} anmelden.`,
    elsewhereTitle: 'Ihr Code',
    elsewhereLead: 'Wenn Sie diesen Link in einem anderen Browser angefordert haben, geben Sie dort diesen Code ein:',
    warning:
      'Hat jemand anderes Sie hierher geschickt? Dann schließen Sie diese Seite. Sagen Sie den Code niemandem, und geben Sie ihn nur auf unserer Seite ein: Wer ihn hat, kommt als Sie hinein.',
    goneTitle: 'Dieser Link gilt nicht mehr',
    gone: 'Er wurde benutzt, oder er ist älter als 10 Minuten. Fordern Sie dort einen neuen an, wo Sie sich anmelden möchten.',
  },
  problems: {
    refused: 'Der Identitätsanbieter hat Sie nicht angemeldet. Nichts hat sich geändert. Versuchen Sie es noch einmal.',
    unreachable: 'Der Identitätsanbieter antwortet nicht. Versuchen Sie es in einigen Minuten noch einmal.',
    expired: 'Diese Anmeldung wurde in einem anderen Browser begonnen, oder vor zu langer Zeit. Beginnen Sie hier neu.',
    blocked: 'Dieses Konto ist gesperrt. Fragen Sie den Betreiber dieses Dienstes nach dem Grund.',
    gone: 'Dieser Link oder Code gilt nicht mehr. Fordern Sie einen neuen an.',
  },
  verification: {
    who: 'Alle Angemeldeten können sich beschweren. Einen Broker bewerten können nur Menschen, deren Identität geprüft ist.',
    isVerified: 'Ihre Identität ist geprüft.',
    isNot: 'Ihre Identität ist nicht geprüft.',
    where: 'Identität prüfen lassen',
  },
  signedInAs: 'Angemeldet als',
  signOut: 'Abmelden',
  signedOut: {
    title: 'Sie sind abgemeldet',
    stillThere: 'Beim Identitätsanbieter sind Sie vielleicht noch angemeldet.',
    there: 'Auch dort abmelden',
    again: 'Wieder anmelden',
  },
  fresh: {
    why: 'Ihre Anmeldung ist älter als zehn Minuten. Melden Sie sich neu an, bevor Sie das ändern, damit es niemand anders tut. Eine Beschwerde, die Sie begonnen und nicht gesendet haben, geht verloren.',
    button: 'Neu anmelden',
  },
  refused: {
    operator: {
      title: 'Diese Seite ist für das Team des Dienstes',
      text: 'Sie sind angemeldet, gehören aber nicht zum Team dieses Dienstes.',
    },
    form: {
      title: 'Dieses Formular wurde nicht angenommen',
      text: 'Es kam nicht von einer Seite, die für Sie gemacht wurde, oder Sie haben sich inzwischen an- oder abgemeldet. Nach zwei Stunden, in denen Sie keine Seite öffnen, und spätestens nach 24 Stunden werden Sie abgemeldet. Nichts hat sich geändert. Öffnen Sie die Seite neu, und senden Sie das Formular von dort.',
    },
  },
};
