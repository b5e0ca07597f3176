/**
 * The ways in which people sign in here: at the identity provider, by a link in a mail or in the terminal of a demo, or
 * not at all.
 */
type SignInWay = 'provider' | 'link' | 'demo' | 'none';

/** A person is signed in, and goes to a path; undefined: to their own page. */
interface SignInTarget {
  readonly to: string | undefined;
}

/** A link as a browser sees it: in the one that asked for it, or in another one, with the code to type there. */
type SeenLink = { readonly is: 'here'; readonly email: string } | { readonly is: 'elsewhere'; readonly code: string };

/** The end of a sign-in at the provider. */
interface ProviderEnding {
  /** `unproven`: the provider did not say that the person proved again who they are. */
  readonly outcome: 'in' | 'refused' | 'unproven' | 'unreachable' | 'expired' | 'blocked';
  /** Path to which the person goes then, with its language. */
  readonly to: string | undefined;
  /** Path of the page that signs in, with its language. */
  readonly from: string | undefined;
}

/** A browser in which the person is signed in. */
interface ListedSession {
  /** Names it in a form. */
  readonly handle: string;
  /** True for the browser that asks. */
  readonly isThis: boolean;
  readonly method: 'provider' | 'link';
  readonly createdAt: string;
  /** When it was used, within some minutes. */
  readonly usedAt: string;
}

/** Lets people sign in and out. */
export interface SignInActions {
  readonly way: SignInWay;
  /** Address at which the person can have their identity verified; undefined if the operator names none. */
  readonly verifyUrl: string | undefined;
  /** Begins a sign-in at the provider. Returns its address. The paths are with their language. */
  readonly begin: (paths: {
    readonly to: string;
    readonly from: string;
    /** True if the person has to prove again who they are. */
    readonly again: boolean;
  }) => Promise<{ readonly address: string } | 'unreachable'>;
  /** Ends it, with the query of the address at which the browser came back. */
  readonly finish: (query: string) => Promise<ProviderEnding>;
  /** Asks for a link. The answer is the same for every address. */
  readonly requestLink: (address: string, to: string | undefined) => Promise<'asked' | 'no_address'>;
  /** Returns the address that this browser asked a link for; undefined if it asked for none, or its request is over. */
  readonly findAsked: () => Promise<string | undefined>;
  /** Looks at a link, and changes nothing. Returns undefined if it is unknown, was used, or is too old. */
  readonly viewLink: (token: string) => Promise<SeenLink | undefined>;
  /** Signs in by a link, in the browser that asked for it. */
  readonly useLink: (token: string) => Promise<SignInTarget | 'gone' | 'blocked'>;
  /** Signs in by the code of a link, in the browser that asked for it. */
  readonly useCode: (code: string) => Promise<SignInTarget | 'wrong' | 'gone' | 'blocked'>;
  /** Returns the address at which people sign out of the provider; undefined if there is none. */
  readonly findProviderSignOut: () => Promise<string | undefined>;
  /** Lists the person's sessions, the one that was used last first. */
  readonly listSessions: () => Promise<readonly ListedSession[]>;
  /** Ends another session of the person; all others without its handle. */
  readonly endOthers: (handle: string | undefined) => Promise<void>;
  /** Ends the session of this browser. */
  readonly signOut: () => Promise<void>;
}
