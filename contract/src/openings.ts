import * as z from 'zod';
import { QueryEntryKeys } from './entry-fields.ts';
import { meta } from './metadata.ts';
import { problems } from './problem.ts';
import type { RouteGroup } from './route.ts';

/** Maximum keys in one request. */
export const MOST_OPENINGS = 100;

/** Salts of texts by field. */
export const Salts = z
  .record(z.string(), z.string())
  .describe('By field: 32 random bytes in base64. The SHA-256 of them and the public text in UTF-8 is the commitment.');

/** The random bytes that open the commitments of an entry. */
export const Opening = z
  .object({
    key: z.string().meta({ description: 'Key of the entry.', examples: ['review/6730f1d2a3b4c5d6e7f80a01'] }),
    salts: Salts,
  })
  .meta({ id: 'Opening', description: 'The random bytes by which anybody can check public texts against the log.' });

/** The random bytes that open the commitments of several entries. */
export const OpeningList = z
  .object({ data: z.array(Opening).describe('One for each of these keys that has public texts.') })
  .meta({ id: 'OpeningList', description: 'The random bytes that open the commitments of several entries.' });

/**
 * The route that opens commitments. A text that is not public any more has no opening: its random bytes are erased with
 * it.
 */
export const openingRoutes = {
  list: {
    method: 'GET',
    path: '/openings',
    summary: 'The random bytes by which anybody can check public texts against the log',
    description:
      'The log has a hash of each text with random bytes. With these bytes and the text, anybody can ' +
      'compute the hash.',
    query: z.strictObject({
      keys: QueryEntryKeys(['broker', 'review', 'news'], MOST_OPENINGS),
    }),
    responses: { 200: OpeningList, ...problems() },
    metadata: meta({ access: 'public', limit: 'history', cache: 'none' }),
  },
} as const satisfies RouteGroup;
