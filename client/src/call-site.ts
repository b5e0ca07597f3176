import { BrokerTransparencyError } from './base-error.ts';

/** Where code runs. It has no stack if the engine does not know that. */
interface CodePlace {
  readonly stack?: string;
}

/** Returns the code that called a function or, once V8 has resumed an asynchronous one, the code that awaits it. */
export const findCaller = (entry: unknown): CodePlace => {
  const place: CodePlace = {};
  // V8 formats the frames only when they are read
  Error.captureStackTrace?.(place, entry as () => void);
  return place;
};

/** Returns an error. If it is one of this package, its stack begins at this code from then on. */
export const nameCaller = (error: unknown, { stack = '' }: CodePlace): unknown => {
  // without the frames of the platform itself, such as its event loop
  const frames = stack.match(/\n +at (?!.*\((node|ext):).*/g);
  if (frames && error instanceof BrokerTransparencyError) error.stack = error + frames.join('');
  return error;
};
