import * as z from 'zod';
import { BrokerSummary } from './brokers.ts';
import { meta } from './metadata.ts';
import { Text } from './primitives.ts';
import { problems } from './problem.ts';
import type { Route } from './route.ts';

/** Maximum number of brokers in a search answer. */
export const SEARCH_RESULTS = 20;

/** The result of a search. */
export const SearchResults = z
  .object({ data: z.array(BrokerSummary).max(SEARCH_RESULTS).describe('Brokers that match, best match first.') })
  .meta({ id: 'SearchResults', description: 'What a search found.' });

/** The route that searches brokers by keyword. */
export const search = {
  method: 'GET',
  path: '/search',
  summary: 'The 20 brokers that match best',
  description:
    'Finds brokers by name, legal entity, trading name, domain or licence number. Word beginnings, typos and ' +
    'missing accents match. Equal matches are ordered by score.',
  query: z.strictObject({
    q: Text(1, 100).meta({ description: 'Keywords. Only the first six count.', examples: ['alpha mark'] }),
  }),
  responses: { 200: SearchResults, ...problems() },
  metadata: meta({ access: 'public', limit: 'public', cache: 'catalog', shows: ['brokers'] }),
} as const satisfies Route;
