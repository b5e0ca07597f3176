const MOST_DEPTH = 200;

const refuse = (place: string, what: string): TypeError => new TypeError(`${place} is ${what}, which is not JSON`);

const writeString = (text: string, place: string): string => {
  // with the flag u, a pair of surrogates is one character: this finds lone ones, which UTF-8 cannot encode
  if (/[\uD800-\uDFFF]/u.test(text)) throw refuse(place, 'a text with a lone surrogate');
  return JSON.stringify(text);
};

const writeObject = (value: object, place: string, depth: number): string => {
  const kind = Object.prototype.toString.call(value);
  if (kind !== '[object Object]') throw refuse(place, kind);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1)) // `<` compares UTF-16 code units, as the standard asks
    .map(([key, member]) => `${writeString(key, place)}:${writeValue(member, `${place}.${key}`, depth + 1)}`);
  return `{${members.join(',')}}`;
};

const writeValue = (value: unknown, place: string, depth: number): string => {
  if (depth > MOST_DEPTH) throw refuse(place, `nested more than ${MOST_DEPTH} times`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeString(value, place);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refuse(place, String(value));
    return JSON.stringify(value);
  }
  if (typeof value !== 'object') throw refuse(place, value === undefined ? 'undefined' : `a ${typeof value}`);
  if (!Array.isArray(value)) return writeObject(value, place, depth);
  return `[${Array.from(value, (item, at) => writeValue(item, `${place}[${at}]`, depth + 1)).join(',')}]`;
};

/**
 * Formats a value as canonical JSON (RFC 8785): equal values have equal texts, so they can be hashed. Members that are
 * undefined are left out.
 * @throws TypeError that names the place of what is not JSON, such as NaN, undefined in a list, a lone surrogate or a
 *   Date
 * @example canonicalJson({ b: 1e21, a: ['€', -0], c: undefined }) // '{"a":["€",0],"b":1e+21}'
 */
export const canonicalJson = (value: unknown): string => writeValue(value, 'value', 0);
