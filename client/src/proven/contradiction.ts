import type { ApiResponse } from '../api-response.ts';
import { type Difference, formatDifference } from '../audit/compare.ts';
import { InvalidResponseError } from '../errors.ts';

/**
 * A field of an answer that is another one in the record.
 * @example const show = ({ path, answer, log }: FieldDifference) => console.error(path, answer, log);
 */
export type FieldDifference = Difference;

const MOST_SAID = 5;

/**
 * The record contradicts an answer, or the log contradicts itself: its `cause` is then a {@link VerifyError}.
 * @example if (error instanceof ContradictionError) for (const { path } of error.differences) console.error(path);
 */
export class ContradictionError extends InvalidResponseError {
  /** The fields that differ. Empty if the log contradicts itself. */
  readonly differences: readonly FieldDifference[];
  constructor(
    about: string,
    differences: readonly FieldDifference[],
    { request, response }: Pick<ApiResponse, 'request' | 'response'>,
    cause?: Error,
  ) {
    const said = differences.slice(0, MOST_SAID).map((one) => formatDifference(about, one));
    const reason = cause ? `a log that contradicts itself: ${cause.message}` : `a contradiction: ${said.join('; ')}`;
    super(reason, request, response);
    this.differences = differences;
    if (cause) this.cause = cause;
    // not on the prototype, so that a bundle without this class has nothing of it
    Object.defineProperty(this, 'name', { value: 'ContradictionError', writable: true, configurable: true });
  }
}
