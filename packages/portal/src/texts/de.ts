import { SERVICE_NAME } from '../service.ts';
import { broker } from './de/broker.ts';
import { cases } from './de/case.ts';
import { charts } from './de/charts.ts';
import { clone } from './de/clone.ts';
import { desk } from './de/desk.ts';
import { dispute } from './de/dispute.ts';
import { docs } from './de/docs.ts';
import { find } from './de/find.ts';
import { follow } from './de/follow.ts';
import { history } from './de/history.ts';
import { licences } from './de/licences.ts';
import { mine } from './de/mine.ts';
import { operator } from './de/operator.ts';
import { check, live, methodology, score } from './de/prove.ts';
import { signIn } from './de/sign-in.ts';
import { spread } from './de/spread.ts';
import { status } from './de/status.ts';
import { story } from './de/story.ts';
import { verdict } from './de/verdict.ts';
import { verify } from './de/verify.ts';
import { write } from './de/write.ts';
import type { Texts } from './en.ts';

/** Every text of the site in German. */
export const de: Texts = {
  code: 'de',
  locale: 'de-DE',
  name: 'Deutsch',
  decimalSign: ',',
  direction: 'ltr',
  site: {
    name: SERVICE_NAME,
    claim: 'Was über Devisenbroker bekannt ist, mit Belegen',
    skip: 'Zum Inhalt',
    menu: 'Hauptseiten',
    fold: 'Menü',
    brokers: 'Broker',
    regulators: 'Aufsichtsbehörden',
    news: 'Nachrichten',
    check: 'Klon-Prüfung',
    methodology: 'Methodik',
    docs: 'Doku',
    mine: 'Meine Seite',
    status: 'Zustand des Dienstes',
    search: 'Suchen',
    searchLabel: 'Broker nach Name, Domain oder Lizenznummer suchen',
    asOf: (time) => `Stand der Daten: ${time}.`,
    old: (time) => `Der Dienst kann gerade keine neueren Daten lesen. Was Sie sehen, ist vom ${time}.`,
    notAdvice: 'Keine Anlageberatung. Jede Zahl führt zu ihrem Beleg.',
    language: 'Sprache',
    notKnown: 'nicht bekannt',
  },
  docs,
  colors: { green: 'Gut', yellow: 'Gemischt', red: 'Schlecht', gray: 'Nicht bewertet' },
  broker,
  home: {
    title: 'Den Broker kennen, bevor Sie einzahlen',
    lead: 'Lizenzen, Warnungen, Beschwerden und Bewertungen von Devisenbrokern. Jede Zahl lässt sich nachrechnen.',
  },
  find,
  follow,
  errors: {
    not_found: { title: 'Diese Seite gibt es nicht', text: 'Prüfen Sie die Adresse, oder suchen Sie den Broker.' },
    broker_not_found: {
      title: 'Unter dieser Adresse kennen wir keinen Broker',
      text: 'Das sagt nichts über eine Firma dieses Namens: Suchen Sie sie, oder prüfen Sie, ob sie ein Klon ist.',
    },
    regulator_not_found: {
      title: 'Unter dieser Adresse kennen wir keine Aufsichtsbehörde',
      text: 'Das sagt nichts über eine Behörde dieses Namens: Sehen Sie alle an, die wir kennen.',
    },
    rate_limited: {
      title: 'Zu viele Seiten in einer Minute',
      text: 'Warten Sie eine Minute, und laden Sie die Seite dann neu.',
    },
    unavailable: {
      title: 'Der Dienst kann seine Daten gerade nicht lesen',
      text: 'Seiten, die eben gelesen wurden, gehen weiter. Laden Sie diese in ein paar Sekunden neu.',
    },
  },
  error: {
    title: 'Diese Seite kann nicht gezeigt werden',
    text: 'Laden Sie sie neu.',
  },
  cases,
  clone,
  charts,
  desk,
  dispute,
  history,
  licences,
  mine,
  operator,
  score,
  signIn,
  check,
  live,
  methodology,
  spread,
  status,
  story,
  verdict,
  verify,
  write,
  errorId: (id) => `Nummer dieser Anfrage: ${id}`,
};
