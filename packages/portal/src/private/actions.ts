import type { CaseActions } from './case/actions.ts';
import type { DeskActions } from './desk/actions.ts';
import type { DisputeActions } from './dispute/actions.ts';
import type { MineActions } from './mine/actions.ts';
import type { SignInActions } from './sign-in/actions.ts';
import type { WritingActions } from './write/actions.ts';

/** The actions of private pages, for the person who asks. */
export interface PrivateActions {
  readonly signIn: SignInActions;
  /** Undefined if nobody is signed in. */
  readonly writing: WritingActions | undefined;
  /** Undefined if nobody is signed in. */
  readonly mine: MineActions | undefined;
  readonly cases: CaseActions;
  readonly disputes: DisputeActions;
  /** Undefined unless the person is an operator. */
  readonly desk: DeskActions | undefined;
}
