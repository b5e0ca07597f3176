/** Reads a body in pieces. Returns undefined if it is longer than `maxBytes`, as soon as this is known. */
const readPieces = async (
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>[] | undefined> => {
  const pieces = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return pieces;
    size += value.length;
    if (size > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    pieces.push(value);
  }
};

/** Reads a body as text. Returns undefined if it is longer than `maxBytes`, and no text if it is not UTF-8. */
export const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  const reader = response.body?.getReader?.();
  if (!reader) return response.text(); // an empty body, or a platform without streams
  const pieces = await readPieces(reader, maxBytes);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return pieces && pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  } catch {
    return '';
  }
};

/** Reads a body as bytes. Returns undefined if it is longer than `maxBytes`. */
export const readBytes = async (response: Response, maxBytes: number): Promise<Uint8Array | undefined> => {
  const pieces = response.body ? await readPieces(response.body.getReader(), maxBytes) : [];
  return pieces && new Uint8Array(await new Blob(pieces).arrayBuffer());
};
