import { AnswerError, ProblemError, type SentRequest } from '../errors.ts';
import type { CallRoute, PreparedRequest } from '../request.ts';
import type { Settings } from '../settings.ts';

/** Returns whether the service did nothing. After a 5xx it may have removed the thing: the outcome is unknown. */
const isRefusal = (error: unknown): boolean => error instanceof AnswerError && error.status < 500;

/**
 * Returns settings with which a call that removes something succeeds, without data, if the outcome of a try is unknown
 * and the next one finds nothing: the thing is gone, as the caller wanted.
 */
export const acceptRemoved = ({ method }: CallRoute, settings: Settings): Settings | undefined => {
  if (method !== 'DELETE') return undefined;
  const unanswered = new WeakSet<SentRequest>();
  return {
    ...settings,
    hooks: settings.hooks.concat({
      retry: ({ request, error }) => {
        if (!isRefusal(error)) unanswered.add(request);
      },
    }),
    verify: (prepared, answer) =>
      (settings.verify?.(prepared, answer) ?? answer).catch((error) => {
        const { sent: request } = prepared as PreparedRequest;
        const isGone = error instanceof ProblemError && error.code === 'not_found';
        if (!isGone || !unanswered.has(request)) throw error;
        return { data: undefined as unknown as object, request, response: error.response };
      }),
  };
};
