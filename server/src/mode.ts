/** What a service serves, if not everything: so that bulk work of customers can run apart from the public. */
export type Part = 'public' | 'enterprise';

/** How a service serves. */
export interface Mode {
  /** Whether the data is fictional: customers build against it by keys of the sandbox. */
  readonly demo: boolean;
  /** The one part that is served; undefined: both. */
  readonly only: Part | undefined;
}
