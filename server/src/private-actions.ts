import type { PrivateActions, Visitor } from '@broker-transparency/portal';
import { createCaseActions } from './features/moderation/for-pages.ts';
import { createSignInActions } from './features/sign-in/for-pages.ts';
import { findSession } from './features/sign-in/sessions.ts';
import type { PersonSession } from './http/auth/person-session.ts';
import type { Clock } from './platform/clock.ts';
import type { Db } from './platform/mongo.ts';
import type { Asker, PrivateParts } from './site/private.ts';

/** The parts that the actions of private pages use. */
interface ActionParts {
  readonly db: Db;
  readonly clock: Clock;
  /** True if the service sends mail. */
  readonly keepsAddresses: boolean;
}

/** Returns what a private page knows of the person who is signed in. */
const describeVisitor = async ({ label, method, principal }: PersonSession): Promise<Visitor> => ({
  label,
  method,
  isVerified: principal.kycVerified,
  brokers: [],
  operator: undefined,
});

/** Connects private pages with the features: each area of pages has its actions, for the person who asks. */
export const connectPrivatePages = ({ db, clock, keepsAddresses }: ActionParts): Omit<PrivateParts, 'pages'> => ({
  findSession: (cookie) => findSession(db, clock, cookie),
  describeVisitor,
  actionsFor: (asker: Asker): PrivateActions => ({
    signIn: createSignInActions(db, asker),
    writing: {},
    mine: {},
    cases: createCaseActions(db, clock, keepsAddresses),
    disputes: {},
    desk: {},
  }),
});
