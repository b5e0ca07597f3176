import type { IncomingMessage, ServerResponse } from 'node:http';
import { addCookie } from '../response/reply.ts';

/** The cookies of the service. Only private pages read and write them. */
type CookieName = 'session' | 'sign-in';

/** The cookies of one request, and of its answer. */
export interface Cookies {
  readonly read: (name: CookieName) => string | undefined;
  /**
   * Sets a cookie.
   * @param seconds undefined: until the browser is closed
   */
  readonly write: (name: CookieName, value: string, seconds?: number) => void;
  readonly remove: (name: CookieName) => void;
}

/** More than browsers send for one site. */
const MOST_CHARACTERS = 16_384;

const findCookie = (header: string | undefined, name: string): string | undefined => {
  if (header === undefined || header.length > MOST_CHARACTERS) return undefined;
  const found = header.split(';').find((pair) => pair.trimStart().startsWith(`${name}=`));
  return found?.slice(found.indexOf('=') + 1).trim();
};

/**
 * Creates the function that opens the cookies of a request. Over https their names begin with `__Host-`: browsers then
 * take them from this host alone. Scripts cannot read them, and forms of other sites do not send them.
 */
export const createCookies = (publicUrl: string): ((req: IncomingMessage, res: ServerResponse) => Cookies) => {
  const isSecure = publicUrl.startsWith('https:');
  const prefix = isSecure ? '__Host-' : '';
  const rules = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return (req, res) => {
    const write = (name: CookieName, value: string, seconds?: number): void =>
      addCookie(res, `${prefix}${name}=${value}; ${rules}${seconds === undefined ? '' : `; Max-Age=${seconds}`}`);
    return {
      read: (name) => findCookie(req.headers.cookie, `${prefix}${name}`),
      write,
      remove: (name) => write(name, '', 0),
    };
  };
};
