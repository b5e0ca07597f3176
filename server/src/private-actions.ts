import type { PrivateActions, Visitor } from '@broker-transparency/portal';
import { takeBackIfErased } from './features/people/actions.ts';
import { createPersonalActions } from './features/people/for-pages.ts';
import { createSignInActions } from './features/sign-in/for-pages.ts';
import { findSession } from './features/sign-in/sessions.ts';
import { endSessionDrafts } from './features/writing/actions.ts';
import { createWritingActions } from './features/writing/for-pages.ts';
import type { PersonSession } from './http/auth/person-session.ts';
import { attempt } from './http/problem/outcome.ts';
import { createRunOnce } from './http/request/idempotency.ts';
import { parseSubmission, requireAllowed } from './http/request/submission.ts';
import type { Clock } from './platform/clock.ts';
import type { Db } from './platform/mongo.ts';
import type { Asker, PrivateParts } from './site/private.ts';

/** The parts that the actions of private pages use. */
interface ActionParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Maximum number of complaints that one account may send in a day. */
  readonly complaintsPerDay: number;
  /** File with the list of erasures. */
  readonly erasureList: string;
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

/** Returns the actions of the person who is signed in: what they write, and what is kept of them. */
const createOwnActions = (parts: ActionParts, session: PersonSession, language: string) => {
  const { keepsAddresses: sendsMail, ...rest } = parts;
  const runOnce = createRunOnce(parts.db, parts.clock, takeBackIfErased);
  const shared = { ...rest, sendsMail, runOnce, attempt, parse: parseSubmission, requireAllowed };
  const writer = { ...session, principal: { ...session.principal, acceptLanguage: language } };
  return {
    writing: createWritingActions({ ...shared, committed: takeBackIfErased }, writer),
    mine: createPersonalActions(shared, session, language),
  };
};

/** Connects private pages with the features: each area of pages has its actions, for the person who asks. */
export const connectPrivatePages = (parts: ActionParts): Omit<PrivateParts, 'pages'> => {
  const { db, clock } = parts;
  return {
    findSession: (cookie) => findSession(db, clock, cookie),
    describeVisitor,
    actionsFor: (asker: Asker): PrivateActions => {
      const { session, language } = asker;
      const own = session && createOwnActions(parts, session, language);
      const signIn = createSignInActions(db, asker);
      return {
        signIn: {
          ...signIn,
          signOut: async () => {
            if (session) await endSessionDrafts({ actor: { type: 'system', name: 'drafts' }, clock, db }, session.id);
            await signIn.signOut();
          },
        },
        writing: own?.writing,
        mine: own?.mine,
        cases: {},
        disputes: {},
        desk: {},
      };
    },
  };
};
