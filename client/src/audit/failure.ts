import { BrokerTransparencyError } from '../base-error.ts';

/**
 * A file of the log or of the service level could not be read, so that nothing is known about its contents.
 * @example if (error instanceof DownloadError && !error.isAnswered) console.error('Try again later.');
 */
export class DownloadError extends BrokerTransparencyError {
  /** True if the server answers, but not with the file. */
  readonly isAnswered: boolean;
  /** Status of the answer; undefined if there is none. */
  readonly status: number | undefined;
  constructor(
    message: string,
    isAnswered: boolean,
    { status, ...options }: ErrorOptions & { readonly status?: number | undefined } = {},
  ) {
    super(message, options);
    this.isAnswered = isAnswered;
    this.status = status;
    // not on the prototype, so that a bundle without this class has nothing of it
    Object.defineProperty(this, 'name', { value: 'DownloadError', writable: true, configurable: true });
  }
}
