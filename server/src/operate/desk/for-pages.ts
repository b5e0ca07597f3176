import { findOperatorBySubject } from '../../features/operators/facts.ts';
import type { Role } from '../../features/operators/policy.rule.ts';
import type { PersonSession } from '../../http/auth/person-session.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { createDesk } from './desk.ts';

/**
 * Returns the operator who is signed in. A one-time link proves an address of mail only, and makes nobody an operator.
 * @param printsLinks true in a demo without mail: only who runs it sees links
 */
export const findSignedInOperator = async (db: Db, { method, subject }: PersonSession, printsLinks: boolean) => {
  const found = method === 'provider' || printsLinks ? await findOperatorBySubject(db, subject) : null;
  return found ? { name: found._id, role: found.role } : undefined;
};

/** The operator who asks for a page of the desk. */
interface DeskAsker {
  readonly session: PersonSession | undefined;
  readonly visitor: { readonly operator: { readonly name: string; readonly role: string } | undefined } | undefined;
}

/** Returns the desk of an operator who is signed in; undefined for everybody else. */
export const openDesk = (db: Db, clock: Clock, { session, visitor }: DeskAsker) => {
  if (!session || !visitor?.operator) return undefined;
  const { name, role } = visitor.operator;
  const { endsAt: expiresAt } = session;
  return createDesk({ db, clock, operator: { name, role: role as Role, expiresAt } });
};
