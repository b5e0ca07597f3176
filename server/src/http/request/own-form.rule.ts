/** Headers by which a browser says where a form comes from. */
interface FormHeaders {
  readonly origin?: string | undefined;
  readonly host?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/** Values of `Sec-Fetch-Site` of a form on a page of this service, or one that a person sends again. */
const OWN_SITE = new Set(['same-origin', 'none']);

/**
 * Returns whether a form may come from a page of this service: other sites could let their visitors send ours. Browsers
 * say by `Sec-Fetch-Site` where a request was begun, and by `Origin` on which page, unless the page keeps that back
 * (`null`). A request with neither comes from a program, which borrows the rights of nobody.
 */
export const isOwnForm = (headers: FormHeaders, publicUrl: string): boolean => {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (site !== undefined && !OWN_SITE.has(String(site))) return false;
  if (origin === undefined) return true;
  if (origin === 'null') return site !== undefined;
  const { origin: own, protocol } = new URL(publicUrl);
  return origin === own || origin === `${protocol}//${host}`;
};
