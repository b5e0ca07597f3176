/** A part that a service can serve alone, so that bulk work of customers runs apart from the public. */
export type ServicePart = 'public' | 'enterprise';

/** How a service serves. */
export interface Mode {
  /** True if the data is fictional: customers build against it by keys of the sandbox. */
  readonly demo: boolean;
  /** The one part that is served; undefined: both. */
  readonly only: ServicePart | undefined;
}
