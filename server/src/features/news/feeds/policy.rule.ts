import type { NewsItem } from '@broker-transparency/contract';

/** Limits of a pull. */
export const LIMITS = {
  /** Bytes of a feed. */
  feed: 2_000_000,
  timeoutMs: 10_000,
  /** Items of one feed in one pull. */
  items: 200,
  /** Characters. The summary is an excerpt, not the article. */
  title: 300,
  summary: 400,
  /** Brokers, and also regulators, per item. */
  links: 100,
  feedsAtOnce: 4,
} as const;

interface Keyword {
  /** In lower case; matched as whole words. */
  readonly words: readonly string[];
  readonly category: NewsItem['category'];
  readonly severity: NewsItem['severity'];
}

/** Keywords in titles with their category and severity. The first row that matches counts. */
export const KEYWORDS: readonly Keyword[] = [
  {
    words: ['fraud', 'ponzi', 'arrested', 'betrug', 'fraude', 'truffa'],
    category: 'enforcement',
    severity: 'critical',
  },
  {
    words: [
      'licence revoked',
      'license revoked',
      'revokes licence',
      'revokes license',
      'withdraws licence',
      'licence withdrawn',
      'license withdrawn',
      'licence suspended',
      'license suspended',
      'suspends licence',
      'suspends license',
      'withdraws authorisation',
      'withdrawal of authorisation',
      'erlaubnis entzogen',
      'retrait d’agrément',
      "retrait d'agrément",
    ],
    category: 'license_change',
    severity: 'serious',
  },
  {
    words: [
      'clone firm',
      'unauthorised firm',
      'unauthorized firm',
      'warns against',
      'warning against',
      'scam',
      'warnung vor',
    ],
    category: 'warning',
    severity: 'serious',
  },
  {
    words: ['fined', 'fines', 'fine', 'penalty', 'penalties', 'sanction', 'sanctions', 'bußgeld', 'multa', 'amende'],
    category: 'enforcement',
    severity: 'serious',
  },
  {
    words: [
      'granted licence',
      'granted license',
      'receives licence',
      'receives license',
      'secures licence',
      'secures license',
      'obtains licence',
      'obtains license',
      'new licence',
      'new license',
    ],
    category: 'license_change',
    severity: 'notice',
  },
  { words: ['outage', 'service disruption', 'platform down'], category: 'service', severity: 'notice' },
];

/**
 * Words that many names share. A name made only of these needs its country in the text. In lower case, without accents.
 */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `
  a an and the of for in de des del la le y et und der agency authority board bureau capital central bank commission
  committee council exchange finance financial futures international market markets national office regulation
  regulatory securities service services supervision supervisory autorite marches financiers comision comissao
  nacional mercado mercados valores broker brokers brokerage currency forex fx global group investment investments
  invest money online option options prime pro trade trader traders trading world ltd limited inc llc plc
`
    .trim()
    .split(/\s+/),
);

/** Minimum length of a name and of an acronym that counts on its own: `XM` and `FI` also mean other things. */
export const SHORTEST = {
  name: 4,
  acronym: 3,
  /** Minimum length of an acronym that may be written like a name, such as Consob. */
  word: 5,
};

/** Acronyms with another common meaning. They count only if the text also names the country. */
export const AMBIGUOUS_ACRONYMS: ReadonlySet<string> = new Set([
  'amf',
  'bma',
  'cbi',
  'cima',
  'cmb',
  'cnb',
  'cvm',
  'dfsa',
  'efsa',
  'fsma',
  'iri',
  'isa',
  'jsc',
  'lfsa',
  'misa',
  'nfa',
  'scb',
  'sfc',
]);
