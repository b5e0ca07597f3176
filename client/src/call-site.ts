import { BrokerTransparencyError } from './base-error.ts';

/**
 * Remembers where the caller is. V8 cannot tell this when an error is made, because a call returns a promise of its
 * own.
 * @param entry the function that the caller called; the stack begins below it
 * @returns a function that rethrows an error. The stack of an error of this package then names the caller's code
 */
export const rememberCaller = (entry: unknown): ((error: unknown) => never) => {
  const site: { readonly stack?: string } = {};
  // V8 formats the frames only when they are read, so a call that succeeds does not pay for that.
  Error.captureStackTrace?.(site, entry as () => void);
  return (error) => {
    const frames = error instanceof BrokerTransparencyError && /\n +at .*/s.exec(site.stack ?? '');
    if (frames) error.stack = error + frames[0];
    throw error;
  };
};
