import type { Page } from './page.ts';
import { badge } from './pages/badge.ts';
import { broker } from './pages/broker.ts';
import { brokerHistory } from './pages/broker-history.ts';
import { brokerProof } from './pages/broker-proof.ts';
import { brokers } from './pages/brokers.ts';
import { check } from './pages/check.ts';
import { compare } from './pages/compare.ts';
import { DOCS_PAGES } from './pages/docs/pages.ts';
import { embed } from './pages/embed.ts';
import { embedStory } from './pages/embed-story.ts';
import { forMachines } from './pages/for-machines.ts';
import { home } from './pages/home.ts';
import { manifest } from './pages/manifest.ts';
import { brokerMarkFile } from './pages/marks.ts';
import { methodologies, methodology } from './pages/methodology.ts';
import { news } from './pages/news.ts';
import { OPERATOR_PAGES } from './pages/operator/pages.ts';
import { securityText } from './pages/operator/security-text.ts';
import { PICTURES } from './pages/pictures.ts';
import { regulator } from './pages/regulator.ts';
import { regulators } from './pages/regulators.ts';
import { reviews } from './pages/reviews.ts';
import { search } from './pages/search.ts';

/** Pages that people read. */
const READ: readonly Page[] = [
  home,
  search,
  brokers,
  broker,
  reviews,
  brokerHistory,
  brokerProof,
  compare,
  regulators,
  regulator,
  news,
  badge,
  check,
  embed,
  embedStory,
  ...DOCS_PAGES,
  methodologies,
  methodology,
  ...OPERATOR_PAGES,
];

/** Every page of the site. */
export const PAGES: readonly Page[] = [
  ...READ,
  ...PICTURES,
  brokerMarkFile,
  ...forMachines(READ),
  manifest,
  securityText,
];
