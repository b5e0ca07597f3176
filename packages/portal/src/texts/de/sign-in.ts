/** Texts of signing in and out. */
export const signIn = {
  title: 'Anmelden',
  none: 'Hier kann sich niemand anmelden: Der Betreiber dieses Dienstes hat keine Anmeldung eingerichtet. Programme nutzen die API mit einem Token.',
  signedInAs: 'Angemeldet als',
  signOut: 'Abmelden',
  refused: {
    operator: {
      title: 'Diese Seite ist für Operatoren',
      text: 'Sie sind angemeldet, aber nicht als Operator dieses Dienstes.',
    },
    form: {
      title: 'Dieses Formular wurde nicht angenommen',
      text: 'Es kam nicht von einer Seite, die für Sie gemacht wurde, oder Sie haben sich inzwischen an- oder abgemeldet. Nichts hat sich geändert. Öffnen Sie die Seite neu, und senden Sie das Formular von dort.',
    },
  },
};
