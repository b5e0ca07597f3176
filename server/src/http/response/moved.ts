/**
 * Thrown by a handler for a former slug: the caller must repeat the request with the current one. It is never an error.
 */
export class SlugRedirect {
  /** Path and query of the new request. */
  readonly location: string;
  readonly slug: string;
  constructor(location: string, slug: string) {
    this.location = location;
    this.slug = slug;
  }
}
