import { SERVICE_NAME } from '../../service.ts';

/** Texts of badges, frames and feeds. */
export const spread = {
  score: (value: string, word: string) => `Score ${value} of 100 · ${word}`,
  unrated: 'Not rated',
  warned: 'An authority warns of this firm',
  unconfirmed: 'A warning, not confirmed yet',
  clone: 'Suspected clone of another firm',
  ended: 'No longer in business',
  said: (day: string) => `${SERVICE_NAME}, ${day}`,
  noAdvice: 'A score of published evidence, no recommendation.',
  /** Stands on pictures of firms that do not exist. */
  fictional: 'Fictional firm (demo data)',
  feed: 'News on brokers and their regulators',
  follow: {
    button: 'Follow',
    how: 'Give its address to an app that reads feeds (Atom). You need no account.',
    broker: 'Warnings and all other changes, as a feed.',
    regulator: 'News of this regulator, as a feed.',
    news: 'All news as a feed.',
    byCountry: 'Follow the warnings of one country',
    brokerTitle: (name: string) => `Changes at ${name}`,
    regulatorTitle: (name: string) => `News of ${name}`,
    warningsTitle: (country: string) => `Warnings by authorities of: ${country}`,
    scoreAfter: (score: string) => `Score after it: ${score}.`,
  },
  /** Name of a broker, for the title. */
  badge: (name: string) => `Badge of ${name}`,
  offer: 'Show this on another site: badge and frame',
  badgeLead:
    'The badge says what this service says of the broker, with its date. It follows every change, and is no approval.',
  preview: 'Preview',
  imageTitle: 'As an image',
  imageText: 'It is light or dark as the page around it is. It leads to the evidence.',
  frameTitle: 'As a frame',
  frameText: 'The frame also has licences, reviews and the day of the last check. It needs no script.',
  frameName: (name: string) => `What is known about ${name}`,
  copy: 'Copy this code into the page:',
  terms:
    'Do not change what it says, and do not present it as a recommendation. A broker that an authority warns of has a badge that says so.',
  back: (name: string) => `All evidence on ${name}`,
  evidence: 'See the evidence',
  checked: (day: string) => `Licences checked against the registers on ${day}`,
  neverChecked: 'Licences never checked against the registers',
  reviews: { one: '{n} review', other: '{n} reviews' },
};
