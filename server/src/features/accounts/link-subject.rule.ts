const LINK_SUBJECT = 'mail:';

/** Returns the subject of the account of an address. No issuer begins like it, so that no JWT has the same account. */
export const toLinkSubject = (email: string): string => `${LINK_SUBJECT}${email.toLowerCase()}`;

/** Returns the address whose account has a subject; undefined if its person signs in otherwise. */
export const parseLinkSubject = (subject: string): string | undefined =>
  subject.startsWith(LINK_SUBJECT) ? subject.slice(LINK_SUBJECT.length) : undefined;
