/**
 * Parameters whose values are kept in records of accesses: numbers, times and names given by the service. Other values
 * can be a customer's input, such as the name of a person they search.
 */
const KEPT = new Set(['after', 'limit', 'wait', 'kind', 'month', 'since', 'date', 'knownAt', 'validAt', 'format']);
/** A plain value, such as a day, a time, a number or a word. */
const PLAIN = /^[\w.:+-]{0,40}$/;
const LONGEST = 300;

const keptValue = (name: string, value: string): string => (KEPT.has(name) && PLAIN.test(value) ? value : '…');

/**
 * Returns the kept part of a request's target: its path, the names of its parameters, and the values that cannot be
 * free text. Of a path that is no route, nothing is kept. Bodies are never kept.
 */
export const keptTarget = (target: string, route: string | undefined): string => {
  if (route === undefined) return '…';
  const [path = '', query] = target.split('?', 2);
  const parts = query ? [...new URLSearchParams(query)] : [];
  const shown = parts
    .filter(([name]) => PLAIN.test(name))
    .map(([name, value]) => `${name}=${keptValue(name, value)}`)
    .join('&');
  return (shown ? `${path}?${shown}` : path).slice(0, LONGEST);
};
