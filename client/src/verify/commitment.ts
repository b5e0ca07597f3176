import { fromBase64 } from '@broker-transparency/contract/log';
import { sha256 } from './platform.ts';

/** Whether a text is the one that an entry commits to. @throws SyntaxError if the random bytes are no base64 */
export const isCommitted = async (
  { salt, text }: { readonly salt: string; readonly text: string },
  hash: string,
): Promise<boolean> => {
  const [random, bytes] = [fromBase64(salt), new TextEncoder().encode(text)];
  const whole = new Uint8Array(random.length + bytes.length);
  whole.set(random);
  whole.set(bytes, random.length);
  return hash === btoa(String.fromCharCode(...(await sha256(whole))));
};
