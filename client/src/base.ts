/** A page or worker, whose address relative ones refer to. */
interface Page {
  readonly location?: { readonly href: string };
}

/**
 * Returns the address of a service, without a slash at its end: an origin, perhaps with a path before those of its
 * APIs. The error message does not quote `baseUrl`, because it may contain a password.
 * @param baseUrl this address, or the one of the API below it, which ends in `/api/v1`; in browsers also a path
 * @throws TypeError
 */
export const resolveBase = (baseUrl: string): string => {
  try {
    const { origin, pathname, href } = new URL(baseUrl, (globalThis as Page).location?.href);
    const prefix = pathname.replace(/(\/api\/v1)?\/?$/, '');
    // the address then has no credentials, query or fragment
    if (
      /^(https?:\/)?\//i.test(baseUrl) &&
      !/\/(api|account|enterprise|transparency)\/v\d/.test(prefix) &&
      href === origin + pathname
    )
      return origin + prefix;
  } catch {
    // refused below
  }
  throw new TypeError('baseUrl must be an http or https address, without credentials, query or fragment');
};
