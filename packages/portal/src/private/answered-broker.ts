/** A broker that a person answers for. */
export interface AnsweredBroker {
  readonly slug: string;
  readonly name: string;
}
