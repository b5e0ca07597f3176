/**
 * Parameters whose values are kept in notes of accesses: numbers, times and names that we have given. Everything else
 * can hold what a customer typed, such as the name of somebody they look for.
 */
const KEPT = new Set(['after', 'limit', 'wait', 'kind', 'month', 'since', 'date', 'knownAt', 'validAt', 'format']);
/** Such as a day, a time, a number or a word. */
const PLAIN = /^[\w.:+-]{0,40}$/;
const LONGEST = 300;

const keptValue = (name: string, value: string): string => (KEPT.has(name) && PLAIN.test(value) ? value : '…');

/**
 * Returns what is kept of the target of a request: its path and the names of its parameters, and the values of those
 * that cannot hold what a person typed. Bodies are never kept.
 */
export const keptTarget = (target: string): string => {
  const [path = '', query] = target.split('?', 2);
  const parts = query ? [...new URLSearchParams(query)] : [];
  const shown = parts
    .filter(([name]) => PLAIN.test(name))
    .map(([name, value]) => `${name}=${keptValue(name, value)}`)
    .join('&');
  return (shown ? `${path}?${shown}` : path).slice(0, LONGEST);
};
