/** The log could not be read: this says nothing about what is in it. */
export class SourceFailure extends Error {
  /** Whether the server answers, but not with this. */
  readonly isAnswered: boolean;
  /** What the server answers; undefined if nothing. */
  readonly status: number | undefined;
  constructor(message: string, isAnswered: boolean, status?: number) {
    super(message);
    this.status = status;
    this.name = 'SourceFailure';
    this.isAnswered = isAnswered;
  }
}
