/** What no path or query may have (RFC 3986): other than ASCII, and `#`, since a fragment stays with the caller. */
const FOREIGN = /[^!"$-~]/;

/** The absolute form (RFC 9112 §3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?]+(.*)$/is;

/**
 * Path and query of a request target; undefined where it is not valid. The service reads the same path as a proxy
 * before it: there is no fragment to cut off and nothing to trim. An internal path is reached by its plain form alone.
 */
export const readTarget = (target: string, isInternal: (path: string) => boolean): string | undefined => {
  if (FOREIGN.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  const rest = ABSOLUTE.exec(target)?.[1];
  if (rest === undefined) return undefined;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return isInternal(path) ? undefined : path;
};
