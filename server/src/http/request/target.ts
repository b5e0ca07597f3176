/** RFC 3986: what a path and a query may have is ASCII, and a fragment is the caller's own. */
const FOREIGN = /[^!"$-~]/;

/** RFC 9112 §3.2.2. */
const ABSOLUTE = /^https?:\/\/[^/?]+(.*)$/is;

/**
 * Path and query that a request target asks for; undefined for what is no target. Whoever reads it after this reads the same as a proxy
 * did: there is no fragment to cut off, nothing to trim, and what `isInternal` says of a path holds for its plain form alone.
 */
export const readTarget = (target: string, isInternal: (path: string) => boolean): string | undefined => {
  if (FOREIGN.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  const rest = ABSOLUTE.exec(target)?.[1];
  if (rest === undefined) return undefined;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return isInternal(path) ? undefined : path;
};
