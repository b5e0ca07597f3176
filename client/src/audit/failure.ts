/** The log could not be read: this says nothing about what is in it. */
export class SourceFailure extends Error {
  /** Whether the server answers, but not with this. */
  readonly isAnswered: boolean;
  constructor(message: string, isAnswered: boolean) {
    super(message);
    this.name = 'SourceFailure';
    this.isAnswered = isAnswered;
  }
}
