import type { Principal } from './access.ts';

/** A person who is signed in with a browser. */
export interface PersonSession {
  /** Hash of the secret in the cookie. */
  readonly id: string;
  /** The person as actions know the bearer of a token. */
  readonly principal: Principal;
  /** The operator's name for the person, as their account has it. */
  readonly subject: string;
  readonly method: 'provider' | 'link';
  /** An address of mail, or the name at the identity provider. */
  readonly label: string;
  readonly createdAt: Date;
  /** When the session ends at the latest. */
  readonly endsAt: Date;
  /** True if the person proved within the last minutes who they are. */
  readonly isFresh: boolean;
  /** Proves that a form comes from a page of this session. */
  readonly formToken: string;
}
