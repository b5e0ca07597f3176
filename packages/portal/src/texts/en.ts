import type { ProblemCode } from '@broker-transparency/contract';
import { SERVICE_NAME } from '../service.ts';
import { broker } from './en/broker.ts';
import { cases } from './en/case.ts';
import { charts } from './en/charts.ts';
import { clone } from './en/clone.ts';
import { desk } from './en/desk.ts';
import { dispute } from './en/dispute.ts';
import { docs } from './en/docs.ts';
import { find } from './en/find.ts';
import { follow } from './en/follow.ts';
import { history } from './en/history.ts';
import { licences } from './en/licences.ts';
import { mine } from './en/mine.ts';
import { operator } from './en/operator.ts';
import { check, live, methodology, score } from './en/prove.ts';
import { signIn } from './en/sign-in.ts';
import { spread } from './en/spread.ts';
import { status } from './en/status.ts';
import { story } from './en/story.ts';
import { verdict } from './en/verdict.ts';
import { verify } from './en/verify.ts';
import { write } from './en/write.ts';

/** Texts of error pages; `other` is for all other problems. */
interface ErrorText {
  readonly title: string;
  readonly text: string;
}

/** Every text of the site in English. A language is one file like this. */
export const en = {
  code: 'en',
  /** Locale for numbers and days. */
  locale: 'en-GB',
  /** Name of the language in itself. */
  name: 'English',
  /** Sign before the decimals of a number. */
  decimalSign: '.',
  direction: 'ltr' as 'ltr' | 'rtl',
  site: {
    name: SERVICE_NAME,
    claim: 'What is known about foreign-exchange brokers, with its evidence',
    skip: 'Skip to the content',
    menu: 'Main pages',
    fold: 'Menu',
    brokers: 'Brokers',
    regulators: 'Regulators',
    news: 'News',
    check: 'Clone check',
    methodology: 'Methodology',
    docs: 'Docs',
    mine: 'My page',
    status: 'Status of the service',
    search: 'Search',
    searchLabel: 'Search brokers by name, domain or licence number',
    asOf: (time: string) => `Data as of ${time}.`,
    old: (time: string) => `The service cannot read newer data now. What you see is from ${time}.`,
    notAdvice: 'Not investment advice. Every figure links to its evidence.',
    language: 'Language',
    notKnown: 'not known',
  },
  docs,
  colors: { green: 'Good', yellow: 'Mixed', red: 'Poor', gray: 'Not rated' },
  broker,
  home: {
    title: 'Know the broker before you pay in',
    lead: 'Licences, warnings, complaints and reviews of foreign-exchange brokers. Every number can be recomputed.',
  },
  find,
  follow,
  errors: {
    not_found: { title: 'This page does not exist', text: 'Check the address, or search for the broker.' },
    broker_not_found: {
      title: 'We know no broker by this address',
      text: 'That says nothing about a firm of this name: search for it, or check whether it is a clone.',
    },
    regulator_not_found: {
      title: 'We know no regulator by this address',
      text: 'That says nothing about an authority of this name: see all regulators that we know.',
    },
    rate_limited: { title: 'Too many pages in a minute', text: 'Wait a minute, then load the page again.' },
    unavailable: {
      title: 'The service cannot read its data now',
      text: 'Pages that were read a moment ago go on. Load this one again in a few seconds.',
    },
  } as Partial<Record<ProblemCode, ErrorText>>,
  error: {
    title: 'This page cannot be shown',
    text: 'Load it again.',
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
  errorId: (id: string) => `Number of this request: ${id}`,
};

/** The texts of a language. */
export type Texts = typeof en;
