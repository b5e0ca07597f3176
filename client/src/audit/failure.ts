/** The log could not be read, so that nothing is known about its contents. */
export class SourceFailure extends Error {
  /** True if the server answers, but not with the file. */
  readonly isAnswered: boolean;
  /** Status of the answer; undefined if there is none. */
  readonly status: number | undefined;
  constructor(message: string, isAnswered: boolean, status?: number) {
    super(message);
    this.status = status;
    this.name = 'SourceFailure';
    this.isAnswered = isAnswered;
  }
}
