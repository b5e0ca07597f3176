import type { RouteParts } from '../http/endpoints/route-parts.ts';
import type { NoteChanges } from './brokers/newest-changes.ts';
import type { Ranking } from './brokers/ranking.rule.ts';
import { brokerRoutes } from './brokers/routes.ts';
import { brokerHistoryRoutes, entryRoutes, openingRoutes } from './record/routes.ts';
import { regulatorRoutes } from './regulators/routes.ts';
import type { SearchIndex } from './search/index.ts';
import { searchRoute } from './search/routes.ts';

/** The parts that only the handlers of published data use. */
export interface PublishedParts {
  readonly searchIndex: SearchIndex;
  readonly ranking: Ranking;
  /** Brings the ranking's newest changes up to date. */
  readonly noteChanges: NoteChanges;
}

export const publishedRoutes = ({ db, clock, searchIndex, ranking, noteChanges }: RouteParts & PublishedParts) => ({
  public: {
    search: searchRoute(db, searchIndex),
    brokers: brokerRoutes(db, ranking, noteChanges, clock),
    regulators: regulatorRoutes(db),
  },
  transparency: {
    brokers: brokerHistoryRoutes(db, clock),
    entries: entryRoutes(db),
    openings: openingRoutes(db),
  },
});
