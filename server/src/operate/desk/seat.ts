import {
  authoriseSession,
  NeedsAnother,
  type OperatorSession,
  recordNeedsAnother,
} from '../../features/operators/authorise.ts';
import { isAllowed, type Rights, type Role } from '../../features/operators/policy.rule.ts';
import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import type { CommandPolicy } from '../cli/define-command.ts';
import type { Sight } from './kind.ts';
import { loadDeskPolicy } from './policy.ts';

/** The operator who is signed in. */
interface DeskOperator extends OperatorSession {
  readonly role: Role;
}

/** The desk of one operator, for one request. */
export interface Seat {
  readonly db: Db;
  readonly clock: Clock;
  readonly operator: DeskOperator;
  /** Which command needs which rights. */
  readonly policy: CommandPolicy;
}

/** The place of a case. */
export interface CaseAddress {
  readonly kind: string;
  readonly id: string;
}

/** A refused decision: nothing was written. */
export interface DeskProblem {
  readonly problem: string;
  readonly field?: string;
}

/** A call that the operator's role does not allow. */
interface RefusedCall {
  readonly refused: string;
}

/** Returns the rights that a command of the desk needs. */
const requireRights = ({ policy }: Seat, command: string): Rights => {
  const rights = policy[command];
  if (!rights) throw new Error(`there is no command "${command}"`);
  return rights;
};

/** Returns true if the policy lets the role of the operator run a command. */
export const may = (seat: Seat, command: string): boolean =>
  isAllowed(seat.operator.role, requireRights(seat, command));

/** Returns which commands the operator may run, and so which facts of a case they see. */
export const toSight = (seat: Seat): Sight => ({ may: (command) => may(seat, command) });

/**
 * Judges and notes a call as the command of the same meaning, and returns the context of its action.
 * @throws DomainError invalid_token
 */
export const begin = async (seat: Seat, command: string): Promise<Context> => {
  const { db, clock, operator } = seat;
  const actor = await authoriseSession(db, clock, { command, rights: requireRights(seat, command) }, operator);
  return { actor, clock, db };
};

/** Returns why an action was refused, and notes it as the command does. @throws unless it is a DomainError */
export const toProblem = async (context: Context, command: string, error: unknown): Promise<DeskProblem> => {
  if (error instanceof NeedsAnother) await recordNeedsAnother(context, command, error.refusal);
  if (!(error instanceof DomainError)) throw error;
  return { problem: error.message };
};

/** Binds a function to a seat. It resolves to a refusal where the operator may not do it. */
export const bind =
  <Args extends readonly unknown[], T>(seat: Omit<Seat, 'policy'>, work: (seat: Seat, ...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T | RefusedCall> => {
    try {
      return await work({ ...seat, policy: await loadDeskPolicy() }, ...args);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'invalid_token') return { refused: error.message };
      throw error;
    }
  };
