import type { NewsItem } from '@broker-transparency/contract';

type Severity = NewsItem['severity'];

interface Headline {
  /** The condition for the broker in `{broker}`. Without it, the headline names no broker. */
  readonly about?: 'warned' | 'licensed' | 'sanctioned' | 'operating';
  readonly severities: readonly Severity[];
  readonly language: string;
  readonly title: string;
  readonly summary: string;
}

/** Headlines by category. They name only fictional brokers. */
export const HEADLINES: Readonly<Record<NewsItem['category'], readonly Headline[]>> = {
  warning: [
    {
      about: 'warned',
      severities: ['serious', 'critical'],
      language: 'en',
      title: 'Warning list names {broker}',
      summary: 'The fictional broker {broker} is said to offer services without the authorisation they need.',
    },
    {
      about: 'warned',
      severities: ['serious', 'critical'],
      language: 'de',
      title: 'Warnung vor {broker}',
      summary: 'Der erfundene Anbieter {broker} soll Dienste ohne die nötige Erlaubnis anbieten.',
    },
    {
      severities: ['notice', 'serious'],
      language: 'en',
      title: 'How to recognise a cloned broker website',
      summary: 'Clones copy names and licence numbers. Compare the domain with the one in the register.',
    },
  ],
  enforcement: [
    {
      about: 'sanctioned',
      severities: ['serious', 'critical'],
      language: 'en',
      title: 'Licence measure against {broker}',
      summary: 'In this invented case, {broker} may take no new clients until its capital report is in order.',
    },
    {
      about: 'sanctioned',
      severities: ['notice', 'serious'],
      language: 'fr',
      title: 'Mesure concernant {broker}',
      summary: 'Cas fictif : {broker} doit revoir la séparation des fonds de ses clients.',
    },
  ],
  license_change: [
    {
      about: 'licensed',
      severities: ['info', 'notice'],
      language: 'en',
      title: '{broker} has a new register entry',
      summary: 'The fictional register shows an entry of {broker} with changed permissions.',
    },
    {
      about: 'licensed',
      severities: ['info', 'notice'],
      language: 'es',
      title: '{broker} amplía su licencia',
      summary: 'El bróker ficticio {broker} añade un permiso a su licencia.',
    },
  ],
  market: [
    {
      severities: ['info'],
      language: 'en',
      title: 'Quiet week on the currency markets',
      summary: 'Ranges stayed narrow in this invented week, and spreads with them.',
    },
    {
      severities: ['info', 'notice'],
      language: 'en',
      title: 'Wider spreads expected around the holidays',
      summary: 'Liquidity thins out towards the end of the year. Margin needs may rise.',
    },
    {
      severities: ['notice'],
      language: 'ja',
      title: '連休中はスプレッド拡大の見込み',
      summary: '架空のニュースです。流動性の低下により、スプレッドが広がる可能性があります。',
    },
  ],
  product: [
    {
      about: 'operating',
      severities: ['info'],
      language: 'en',
      title: '{broker} adds currency pairs',
      summary: 'The fictional broker {broker} now offers twelve more pairs to retail clients.',
    },
    {
      about: 'operating',
      severities: ['info', 'notice'],
      language: 'it',
      title: '{broker} cambia le commissioni',
      summary: 'Il broker fittizio {broker} pubblica un nuovo listino delle commissioni.',
    },
  ],
  service: [
    {
      about: 'operating',
      severities: ['info', 'notice'],
      language: 'en',
      title: '{broker} announces maintenance',
      summary: 'The platform of the fictional broker {broker} is away for four hours on Saturday.',
    },
    {
      about: 'operating',
      severities: ['notice', 'serious'],
      language: 'pt',
      title: 'Falha na plataforma da {broker}',
      summary: 'Caso fictício: a plataforma da {broker} esteve indisponível durante uma hora.',
    },
  ],
};

/** Invented publications with their hosts. */
export const SOURCES = [
  { source: 'Demo FX Courier', host: 'fx-courier.example' },
  { source: 'Demo Register Watch', host: 'register-watch.example' },
  { source: 'Demo Market Notes', host: 'market-notes.example' },
] as const;
