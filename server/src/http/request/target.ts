/** Characters that no path or query may have (RFC 3986): non-ASCII, and `#`, since a fragment stays with the caller. */
const FOREIGN = /[^!"$-~]/;

/** The absolute form (RFC 9112 §3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?]+(.*)$/is;

/**
 * Returns path and query of a request target; undefined if it is invalid. The service reads the same path as a proxy
 * before it: there is no fragment to cut off and nothing to trim. Internal paths match in their plain form only.
 */
export const readTarget = (target: string, isInternal: (path: string) => boolean): string | undefined => {
  if (FOREIGN.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  const rest = ABSOLUTE.exec(target)?.[1];
  if (rest === undefined) return undefined;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return isInternal(path) ? undefined : path;
};
