/** Reads a body as text. Returns undefined if it is longer than `maxBytes`, as soon as this is known. */
export const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  const reader = response.body?.getReader?.();
  if (!reader) return response.text(); // an empty body, or a platform without streams
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
};
