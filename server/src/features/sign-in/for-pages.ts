import type { Cookies } from '../../http/request/cookies.ts';
import type { Db } from '../../platform/mongo.ts';
import { endSession } from './sessions.ts';

/** Returns the actions by which pages sign people in and out. */
export const createSignInActions = (db: Db, { cookies }: { readonly cookies: Cookies }) => ({
  signOut: async (): Promise<void> => {
    const secret = cookies.read('session');
    if (secret !== undefined) await endSession(db, secret);
    cookies.remove('session');
  },
});
