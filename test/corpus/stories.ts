import { succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { toToken } from '../support/people.ts';
import type { Service } from '../support/process.ts';
import { complaintBody, reviewBody } from '../support/records.ts';
import { STORIES } from './facts.ts';

const TEXT = 'The author writes about another company, as the second line shows.';

/**
 * Sends a POST as a person.
 * @throws Error where it is refused
 */
const post = async <T>({ origin }: Service, name: string, path: string, body?: object): Promise<T> => {
  const sent = body === undefined ? { method: 'POST' } : { body };
  const { status, text, json } = await send(`${origin}${path}`, { token: toToken(name), ...sent });
  if (status !== 201) throw new Error(`${path} of ${name} was answered by ${status}: ${text}`);
  return json<T>();
};

/** The moves of moderators and others on reviews. */
const createMoves = (service: Service) => {
  const cli = async (...args: string[]) => void succeeded(await service.cli(...args));
  return {
    publish: (id: string) => cli('review', 'publish', id, '--actor', 'anna'),
    reply: (id: string) => cli('review', 'reply', id, '--content', 'We are sorry, and have paid it out.'),
    reject: (id: string) => cli('review', 'reject', id, '--reason', 'off_topic', '--note', TEXT, '--actor', 'anna'),
    remove: (id: string) => cli('review', 'remove', id, '--reason', 'insult', '--note', TEXT, '--actor', 'anna'),
    flag: (id: string) => cli('review', 'flag', id, '--reason', 'advertising'),
    withdraw: (id: string) => post(service, 'ana', `/account/v1/reviews/${id}/withdrawal`),
    appeal: async (id: string) =>
      (await post<{ id: string }>(service, 'ana', `/account/v1/reviews/${id}/appeal`, { text: TEXT })).id,
    report: async (reviewId: string) => {
      const body = { reviewId, reason: 'insult', text: TEXT };
      return (await post<{ id: string }>(service, 'rita', '/account/v1/reports', body)).id;
    },
    decide: (what: 'appeal' | 'report', id: string, decision: string, ...more: string[]) =>
      cli(what, 'decide', id, decision, '--note', 'Read again.', '--actor', 'ben', ...more),
  };
};

type Moves = ReturnType<typeof createMoves>;

const publishThen =
  (then: (moves: Moves, id: string) => Promise<unknown>) =>
  async (moves: Moves, id: string): Promise<void> => {
    await moves.publish(id);
    await then(moves, id);
  };

const removeAndAppeal = (decision: string) =>
  publishThen(async ({ remove, appeal, decide }, id) => {
    await remove(id);
    await decide('appeal', await appeal(id), decision);
  });

/** The course of the review of each broker of the stories. */
const WAYS: Readonly<Record<string, (moves: Moves, id: string) => Promise<unknown>>> = {
  'story-pending': async () => {},
  'story-published': ({ publish }, id) => publish(id),
  'story-replied': publishThen(({ reply }, id) => reply(id)),
  'story-rejected': ({ reject }, id) => reject(id),
  'story-appealed': async ({ reject, appeal }, id) => {
    await reject(id);
    await appeal(id);
  },
  'story-reversed': removeAndAppeal('reverse'),
  'story-confirmed': removeAndAppeal('confirm'),
  'story-withdrawn': publishThen(({ withdraw }, id) => withdraw(id)),
  'story-reported': publishThen(({ report }, id) => report(id)),
  'story-kept': publishThen(async ({ report, decide }, id) => decide('report', await report(id), 'keep')),
  'story-upheld': publishThen(async ({ report, decide }, id) =>
    decide('report', await report(id), 'remove', '--reason', 'insult'),
  ),
  'story-flagged': publishThen(({ flag }, id) => flag(id)),
};

/** Writes reviews of one person that take every possible course. */
export const moderate = async (service: Service): Promise<void> => {
  for (const [index, slug] of STORIES.entries()) {
    const body = reviewBody(slug, { rating: 1 + (index % 5), title: `A review, ${slug}` });
    const { id } = await post<{ id: string }>(service, 'ana', '/api/v1/reviews', body);
    await WAYS[slug]?.(createMoves(service), id);
  }
};

/** The moves on each complaint of the stories. The demo set covers the final states. */
const COURSES = [
  [],
  [['screen']],
  [['screen'], ['forward'], ['answer', '--text', TEXT]],
  [['reject', '--reason', 'abusive']],
];

/** Files complaints of one person that are still open or rejected, and blocks a person. */
export const complain = async (service: Service): Promise<void> => {
  for (const [index, course] of COURSES.entries()) {
    const body = complaintBody('story-published', { title: `Complaint number ${index}` });
    const { reference } = await post<{ reference: string }>(service, 'ana', '/api/v1/complaints', body);
    for (const [move = '', ...more] of course) succeeded(await service.cli('complaint', move, reference, ...more));
  }
  succeeded(await service.cli('account', 'block', 'bea', '--reason', 'abuse'));
};
