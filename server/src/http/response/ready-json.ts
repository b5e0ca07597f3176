type Headers = Readonly<Record<string, string>>;

/** JSON text that was made before, and held to the contract then. */
export class ReadyJson {
  readonly bytes: Uint8Array;
  /** Headers of the answer beside those of its body. */
  readonly headers: Headers;
  constructor(bytes: Uint8Array, headers: Headers) {
    this.bytes = bytes;
    this.headers = headers;
  }
}

const OPENING = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** JSON text in the place of the value it stands for. A handler may answer with it; nobody else may look inside. */
export const readyJson = <Value>(bytes: Uint8Array, headers: Headers = {}): Value =>
  new ReadyJson(bytes, headers) as unknown as Value;

/** `{ data: [...items], ...rest }`, of items that are JSON text already. */
export const readyList = <Value extends { data: unknown[] }>(
  items: readonly Uint8Array[],
  rest: Omit<Value, 'data'>,
  headers?: Headers,
): Value => {
  const parts = items.flatMap((item, at) => (at === 0 ? [item] : [COMMA, item]));
  const fields = Object.entries(rest).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return readyJson(Buffer.concat([OPENING, ...parts, Buffer.from(`]${fields.join('')}}`)]), headers);
};
