import { SERVICE_NAME } from '../../service.ts';
import type { spread as english } from '../en/spread.ts';

/** Texts of badges, frames and feeds, in German. */
export const spread: typeof english = {
  score: (value, word) => `Wertung: ${value} von 100 · ${word}`,
  unrated: 'Nicht bewertet',
  warned: 'Eine Behörde warnt vor der Firma',
  unconfirmed: 'Warnung, noch nicht bestätigt',
  clone: 'Verdacht: Klon einer anderen Firma',
  ended: 'Nicht mehr im Geschäft',
  said: (day) => `${SERVICE_NAME}, ${day}`,
  noAdvice: 'Wertung aus veröffentlichten Belegen, keine Empfehlung.',
  fictional: 'Erfundene Firma (Demo)',
  feed: 'Nachrichten über Broker und ihre Aufsicht',
  follow: {
    button: 'Folgen',
    how: 'Geben Sie die Adresse einer App, die Feeds (Atom) liest. Sie brauchen kein Konto.',
    broker: 'Warnungen und alle anderen Änderungen, als Feed.',
    regulator: 'Nachrichten über diese Aufsicht, als Feed.',
    news: 'Alle Nachrichten als Feed.',
    byCountry: 'Den Warnungen eines Landes folgen',
    brokerTitle: (name) => `Änderungen bei ${name}`,
    regulatorTitle: (name) => `Nachrichten über ${name}`,
    warningsTitle: (country) => `Warnungen von Behörden, Land: ${country}`,
    scoreAfter: (score) => `Wertung danach: ${score}.`,
  },
  badge: (name) => `Plakette von ${name}`,
  offer: 'Auf einer anderen Website zeigen: Plakette und Rahmen',
  badgeLead:
    'Die Plakette sagt, was dieser Dienst über den Broker sagt, mit Datum. Sie folgt jeder Änderung und ist keine Billigung.',
  preview: 'Vorschau',
  imageTitle: 'Als Bild',
  imageText: 'Es ist hell oder dunkel wie die Seite, auf der es steht. Es führt zu den Belegen.',
  frameTitle: 'Als Rahmen',
  frameText: 'Der Rahmen nennt auch Lizenzen, Bewertungen und den Tag der letzten Prüfung. Er braucht kein Skript.',
  frameName: (name) => `Was über ${name} bekannt ist`,
  copy: 'Kopieren Sie diesen Code in die Seite:',
  terms:
    'Ändern Sie nicht, was darin steht, und zeigen Sie es nicht als Empfehlung. Warnt eine Behörde vor einem Broker, so sagt es seine Plakette.',
  back: (name) => `Alle Belege zu ${name}`,
  evidence: 'Zu den Belegen',
  checked: (day) => `Lizenzen am ${day} mit den Registern verglichen`,
  neverChecked: 'Lizenzen nie mit den Registern verglichen',
  reviews: { one: '{n} Bewertung', other: '{n} Bewertungen' },
};
