/** Status codes that say that there is no such mailbox (RFC 3463). */
const GONE = /\b5\.1\.(1|2|3|6|10)\b|\b5\.2\.1\b/;

/** Returns whether a reply or a status says that an address does not exist. */
export const saysGone = (reply: string): boolean => GONE.test(reply);
