type Headers = Readonly<Record<string, string>>;

/** JSON text that was prepared and checked against the contract before. */
export class ReadyJson {
  readonly bytes: Uint8Array;
  /** Headers of the answer in addition to those of its body. */
  readonly headers: Headers;
  constructor(bytes: Uint8Array, headers: Headers) {
    this.bytes = bytes;
    this.headers = headers;
  }
}

const OPENING = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** Returns JSON text in place of its value. A handler may answer with it; other code must not read it. */
export const readyJson = <Value>(bytes: Uint8Array, headers: Headers = {}): Value =>
  new ReadyJson(bytes, headers) as unknown as Value;

/** Returns `{ data: [...items], ...rest }` from items that are JSON text. */
export const readyList = <Value extends { data: unknown[] }>(
  items: readonly Uint8Array[],
  rest: Omit<Value, 'data'>,
  headers?: Headers,
): Value => {
  const parts = items.flatMap((item, at) => (at === 0 ? [item] : [COMMA, item]));
  const fields = Object.entries(rest).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return readyJson(Buffer.concat([OPENING, ...parts, Buffer.from(`]${fields.join('')}}`)]), headers);
};
