/** A part that a service can serve alone, so that bulk work of customers runs apart from the public. */
export type ServicePart = 'public' | 'enterprise';

/** The mode of a service. */
export interface Mode {
  /** True if the data is fictional: customers build against it by keys of the sandbox. */
  readonly demo: boolean;
  /** The only part that is served; undefined for both. */
  readonly only: ServicePart | undefined;
}
