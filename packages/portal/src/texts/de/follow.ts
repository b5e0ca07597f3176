import type { follow as english } from '../en/follow.ts';

/** Texts of the pages on which people follow a broker by mail, in German. */
export const follow: typeof english = {
  title: 'Einem Broker per Mail folgen',
  offer: 'Per Mail folgen',
  lead: (name) =>
    `Wir schreiben Ihnen sofort, wenn eine Warnung vor ${name} erscheint, zurückgenommen oder berichtigt wird, und einmal in der Woche über andere Änderungen.`,
  address: 'Ihre Mailadresse',
  ask: 'Link zum Bestätigen senden',
  privacy:
    'Sie brauchen kein Konto. Wir speichern Ihre Adresse und die Broker, denen Sie folgen, und zeigen sie niemandem. Jede Mail über einen Broker hat einen Link, der das beendet und beides löscht.',
  back: (name) => `Zurück zu ${name}`,
  choose: 'Öffnen Sie zuerst die Seite eines Brokers und folgen Sie ihm dort.',
  brokers: 'Alle Broker',
  noBroker: 'Das Formular nennt keinen Broker. Öffnen Sie die Seite eines Brokers und folgen Sie ihm dort.',
  noAddress: 'Das ist keine Mailadresse. Schreiben Sie eine wie name@mail.example.',
  askedTitle: 'Sehen Sie in Ihre Mail',
  askedText:
    'Wenn diese Adresse Mail empfängt, ist ein Link zum Bestätigen unterwegs. Öffnen Sie ihn binnen eines Tages.',
  askedAgain:
    'Keine Mail erhält eine Adresse, die dem Broker schon folgt oder heute schon drei solche Mails bekommen hat.',
  confirmTitle: 'Diesem Broker folgen?',
  confirmText: 'Drücken Sie auf den Knopf, und wir schreiben Ihnen über den Broker, den die Mail nennt.',
  confirm: 'Ja, schreiben Sie mir',
  confirmedTitle: 'Sie folgen dem Broker jetzt',
  confirmedText: 'Jede Mail hat einen Link, mit dem Sie sehen, wem Sie folgen, und es beenden.',
  oldTitle: 'Dieser Link gilt nicht mehr',
  oldText: 'Er wurde schon benutzt oder ist älter als ein Tag. Einen neuen erhalten Sie auf der Seite des Brokers.',
  mineTitle: 'Broker, denen Sie folgen',
  mineLead: 'Drücken Sie auf den Knopf, um die Broker zu sehen, denen Sie folgen.',
  show: 'Zeigen, wem ich folge',
  end: 'Keine Mail mehr über',
  endAllTitle: 'Alles beenden',
  endAllText: 'Wir schreiben nicht mehr und löschen Ihre Adresse und die Broker, denen Sie folgen.',
  endAll: 'Alles beenden und meine Adresse löschen',
  endedTitle: 'Sie folgen keinem Broker',
  endedText:
    'Über diesen Link kommt keine Mail. War Ihre Adresse hier gespeichert, so löschen wir sie: sofort, oder binnen eines Tages, wenn noch eine Mail oder eine Anfrage unterwegs ist.',
};
