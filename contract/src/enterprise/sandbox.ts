import * as z from 'zod';
import { Extensible, NoQuery, Slug } from '../primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, problems } from '../problem.ts';
import type { RouteGroup } from '../route.ts';
import { enterpriseMeta } from './metadata.ts';

/** The change made by a test event. */
export const TestEvent = z
  .object({
    broker: Slug.describe('The fictional broker.'),
    kind: z.string().describe('Kind of the entry that follows in the feed within a second.'),
    key: z.string().describe('Key of that entry.'),
    change: Extensible(z.enum(['appeared', 'disappeared'])).describe(
      '`appeared`: a fictional warning is published. `disappeared`: it was there, and is published no more.',
    ),
  })
  .meta({ id: 'TestEvent', description: 'What a test event changed of the fictional data.' });
export type TestEvent = z.infer<typeof TestEvent>;

/** Routes of the sandbox. A service with live data does not have them. */
export const enterpriseSandbox = {
  publish: {
    method: 'POST',
    path: '/test-events',
    summary: 'Change something fictional, in the sandbox',
    description:
      'Publishes a fictional warning about a broker or, if it is there, takes it back, so that feed and webhooks show ' +
      'a change. Only a service with fictional data has this path.',
    query: NoQuery,
    body: z
      .strictObject({ broker: Slug.default('alpha-markets').describe('The broker that it is about.') })
      .meta({ id: 'TestEventRequest', description: 'What a test event is to change.' }),
    responses: {
      201: TestEvent,
      ...problems(...AUTH_PROBLEMS, ...BODY_PROBLEMS, 'broker_not_found', 'state_conflict'),
    },
    metadata: enterpriseMeta('sandbox:write'),
  },
} as const satisfies RouteGroup;
