import { CallRefusal } from './policy.ts';

const MAX_BYTES = 65_536;

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CallRefusal('malformed_json', 'The body is not valid UTF-8.');
  }
};

const parse = (text: string): unknown => {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // refused below
  }
  throw new CallRefusal('malformed_json', 'The body is not valid JSON.');
};

/**
 * Reads a JSON body of at most 64 kB. Returns undefined if there is none.
 * @throws CallRefusal for any other body
 */
export const readBody = (headers: Headers, bytes: Uint8Array): unknown => {
  const type = headers.get('content-type') ?? '';
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1] ?? 'utf-8';
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new CallRefusal('unsupported_media_type', 'Send "Content-Type: application/json".');
  if (charset.toLowerCase() !== 'utf-8')
    throw new CallRefusal('unsupported_media_type', 'The body must be encoded as UTF-8.');
  if (!/^(identity)?$/i.test(headers.get('content-encoding') ?? ''))
    throw new CallRefusal('unsupported_media_type', 'The body must not be compressed.');
  if (bytes.length > MAX_BYTES) throw new CallRefusal('content_too_large', 'The body has more than 64 kB.');
  return bytes.length === 0 ? undefined : parse(decode(bytes));
};
