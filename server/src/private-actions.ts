import type { PrivateActions, Visitor } from '@broker-transparency/portal';
import { findOperatorBySubject } from './features/operators/facts.ts';
import type { Role } from './features/operators/policy.rule.ts';
import { createSignInActions } from './features/sign-in/for-pages.ts';
import { findSession } from './features/sign-in/sessions.ts';
import type { PersonSession } from './http/auth/person-session.ts';
import { createDesk } from './operate/desk/desk.ts';
import type { Clock } from './platform/clock.ts';
import type { Db } from './platform/mongo.ts';
import type { Asker, PrivateParts } from './site/private.ts';

/** The parts that the actions of private pages use. */
interface ActionParts {
  readonly db: Db;
  readonly clock: Clock;
}

/** Returns the operator who is signed in. A one-time link proves an address of mail only, and makes nobody an operator. */
const findOperator = async (db: Db, { method, subject }: PersonSession): Promise<Visitor['operator']> => {
  const found = method === 'provider' ? await findOperatorBySubject(db, subject) : null;
  return found ? { name: found._id, role: found.role } : undefined;
};

/** Returns what a private page knows of the person who is signed in. */
const describeVisitor = async (db: Db, session: PersonSession): Promise<Visitor> => ({
  label: session.label,
  method: session.method,
  isVerified: session.principal.kycVerified,
  brokers: [],
  operator: await findOperator(db, session),
});

/** Returns the desk of an operator who is signed in. */
const openDesk = ({ db, clock }: ActionParts, { session, visitor }: Asker): PrivateActions['desk'] => {
  if (!session || !visitor?.operator) return undefined;
  const { name, role } = visitor.operator;
  return createDesk({
    db,
    clock,
    operator: { name, role: role as Role, expiresAt: session.endsAt, accountId: session.principal.accountId },
  });
};

/** Connects private pages with the features: each area of pages has its actions, for the person who asks. */
export const connectPrivatePages = ({ db, clock }: ActionParts): Omit<PrivateParts, 'pages'> => ({
  findSession: (cookie) => findSession(db, clock, cookie),
  describeVisitor: (session) => describeVisitor(db, session),
  actionsFor: (asker: Asker): PrivateActions => ({
    signIn: createSignInActions(db, asker),
    writing: {},
    mine: {},
    cases: {},
    disputes: {},
    desk: openDesk({ db, clock }, asker),
  }),
});
