/**
 * Reads a body as text. Returns undefined if it is longer than `maxBytes`, as soon as this is known, and an empty text
 * if it is not UTF-8.
 */
export const readText = async (response: Response, maxBytes: number): Promise<string | undefined> => {
  const reader = response.body?.getReader?.();
  if (!reader) return response.text(); // an empty body, or a platform without streams
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text: string | undefined = '';
  try {
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      size += value?.length ?? 0;
      if (size > maxBytes) return undefined;
      try {
        text += decoder.decode(value, { stream: !done });
      } catch {
        return '';
      }
      if (done) return text;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
};
