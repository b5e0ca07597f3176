import { pino } from 'pino';
import { describeRefusal } from '../refusal.rule.ts';

/**
 * Returns the log fields of an error. Errors of the driver also carry documents and values, which may be personal data:
 * they are left out.
 */
export const describeError = (error: Error & { readonly code?: unknown }): object => {
  const { type, message, stack, aggregateErrors } = pino.stdSerializers.err(error);
  const { code } = error;
  const refused = describeRefusal(error);
  return {
    type,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(aggregateErrors && { aggregateErrors }),
    ...(refused && { refused }),
  };
};
