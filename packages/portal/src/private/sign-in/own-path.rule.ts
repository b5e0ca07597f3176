import * as z from 'zod';

/** Begins like a path of this site: a browser reads `//` and `/\` as the address of another one. */
const OWN = /^\/(?![/\\])[!-[\]-~]*$/;

const MOST_CHARACTERS = 500;

/** A path of this site to which a person goes once they are signed in, with its query. No other address fits. */
export const OwnPath = z.string().max(MOST_CHARACTERS).regex(OWN);
