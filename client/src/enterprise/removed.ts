import { AnswerError, ProblemError, type SentRequest } from '../errors.ts';
import type { CallRoute, PreparedRequest } from '../request.ts';
import type { Settings } from '../settings.ts';

/**
 * Returns whether the service itself refused a try, also by a 503. The 503 of a proxy has no title: behind it the service
 * may have removed the thing.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof AnswerError &&
  (error.status < 500 || (error.status === 503 && (error as ProblemError).title !== (error as ProblemError).code));

/**
 * Returns settings with which a call that removes something succeeds, without data, if a try came to no answer and the next one
 * finds nothing: the earlier one has removed it.
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
