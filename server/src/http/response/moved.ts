/** Thrown by a handler for a former slug: the same request has to be made with the current one. Never an error. */
export class SlugRedirect {
  /** Path and query of that request. */
  readonly location: string;
  readonly slug: string;
  constructor(location: string, slug: string) {
    this.location = location;
    this.slug = slug;
  }
}
