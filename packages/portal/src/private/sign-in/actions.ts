/** Lets people sign in and out. */
export interface SignInActions {
  /** Ends the session of this browser. */
  readonly signOut: () => Promise<void>;
}
