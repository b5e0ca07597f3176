import { randomUUID } from 'node:crypto';
import { accountContract } from '@broker-transparency/contract';
import type { PrivateActions, Visitor } from '@broker-transparency/portal';
import { createAnswerActions } from './features/answers/for-pages.ts';
import { createCaseActions, type SendOwnReport } from './features/moderation/for-pages.ts';
import { findOpenOwnReport, sendOwnReport } from './features/moderation/own.ts';
import { takeBackIfErased } from './features/people/actions.ts';
import { createPersonalActions } from './features/people/for-pages.ts';
import { listRepresentedBrokers } from './features/representatives/facts.ts';
import { createSignInActions, type SignInEvent } from './features/sign-in/for-pages.ts';
import { connectSignIn, type SignInProvider } from './features/sign-in/provider.ts';
import { findSession } from './features/sign-in/sessions.ts';
import { endSessionDrafts } from './features/writing/actions.ts';
import { createWritingActions } from './features/writing/for-pages.ts';
import type { Principal } from './http/auth/access.ts';
import type { PersonSession } from './http/auth/person-session.ts';
import { attempt } from './http/problem/outcome.ts';
import { createRunOnce, type RunOnce } from './http/request/idempotency.ts';
import { parseSubmission, requireAllowed, requirePast } from './http/request/submission.ts';
import { findSignedInOperator, openDesk } from './operate/desk/for-pages.ts';
import type { Clock } from './platform/clock.ts';
import { DomainError } from './platform/domain-error.ts';
import type { Db } from './platform/mongo.ts';
import type { Log } from './platform/observe/log.ts';
import { isThisMachine } from './platform/outbound/addresses.ts';
import type { Asker, PrivateParts } from './site/private.ts';

/** The terminal in which a demo runs, and the folder of its data. */
interface DemoTerminal {
  readonly tell: (line: string) => void;
  readonly dataDir: string;
}

/** How people sign in to the pages of a service. */
export interface SignInOptions {
  /** The identity provider at which people sign in. */
  readonly provider: SignInProvider | undefined;
  /** Address at which people have their identity verified, with `{subject}` for a reference to their account. */
  readonly kycUrl: string | undefined;
  readonly demo: DemoTerminal | undefined;
}

/** The parts that the actions of private pages use. */
interface ActionParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Maximum number of complaints that one account may send in a day. */
  readonly complaintsPerDay: number;
  /** File with the list of erasures. */
  readonly erasureList: string;
  readonly log: Log;
  readonly publicUrl: string;
  /** True if the service sends mail. */
  readonly keepsAddresses: boolean;
  readonly signIn: SignInOptions;
}

/** Returns the function that shows links where a demo runs, in place of mails. */
const createDemoDelivery =
  (publicUrl: string, { tell, dataDir }: DemoTerminal) =>
  (email: string, token: string): void =>
    tell(
      [
        '',
        `DEMO ONLY: the link to sign in as ${email}, in the browser that asked for it:`,
        `  ${publicUrl}/sign-in/link/${token}`,
        'A service sends it by mail. To verify the identity of this fictional person, so that they can review:',
        `  DATA_DIR='${dataDir}' npx -y pnpm cli account kyc 'mail:${email.toLowerCase()}' verified`,
        '',
      ].join('\n'),
    );

/** Returns how people sign in. Where others on the way could take a session, nobody can. */
const createSignInParts = ({ db, clock, log, publicUrl, keepsAddresses, signIn }: ActionParts) => {
  const { provider, kycUrl, demo } = signIn;
  const { protocol, hostname } = new URL(publicUrl);
  const isSafe = protocol === 'https:' || isThisMachine(hostname);
  const onFault = (error: unknown): void => log.warn({ err: error }, 'sign-in at the identity provider (OIDC_ISSUER)');
  return {
    db,
    clock,
    kycUrl,
    endDrafts: (sessionId: string) =>
      endSessionDrafts({ actor: { type: 'system', name: 'drafts' }, clock, db }, sessionId),
    onFull: (): void => log.warn({}, 'no link to sign in goes out: too many within an hour, to all addresses together'),
    onSignIn: (event: SignInEvent): void => log.info(event, 'sign-in to the pages'),
    provider: provider && isSafe ? connectSignIn(provider, publicUrl, { onFault }) : undefined,
    sendsMail: keepsAddresses && isSafe,
    deliver: demo && !keepsAddresses ? createDemoDelivery(publicUrl, demo) : undefined,
  };
};

/** Returns what a private page knows of the person who is signed in. */
const describeVisitor = async (db: Db, session: PersonSession, printsLinks: boolean): Promise<Visitor> => ({
  label: session.label,
  method: session.method,
  isVerified: session.principal.kycVerified,
  isFresh: session.isFresh,
  brokers: (await listRepresentedBrokers(db, session.principal.accountId)).map(({ slug, name }) => ({ slug, name })),
  operator: await findSignedInOperator(db, session, printsLinks),
});

/**
 * Returns the action by which a person reports a review. While it is open, it is the same report however often it is
 * sent, and another one about the review is not taken.
 */
const createOwnReports =
  ({ db, runOnce }: { readonly db: Db; readonly runOnce: RunOnce }, author: Principal): SendOwnReport =>
  async (report) => {
    requireAllowed(accountContract.reports.create, author);
    const request = { author, key: randomUUID(), route: `/reviews/${report.reviewId}/report`, body: report };
    try {
      return await runOnce(request, (c) => sendOwnReport(c, author, report));
    } catch (error) {
      const code = error instanceof DomainError ? error.code : undefined;
      const open = code === 'report_exists' && (await findOpenOwnReport(db, author.accountId, report));
      if (!open) throw error;
      return open;
    }
  };

/** Returns the actions of the person who is signed in: what they write, and what is kept of them. */
const createOwnActions = (parts: ActionParts, session: PersonSession, language: string) => {
  const { db, clock, complaintsPerDay, erasureList, keepsAddresses: sendsMail } = parts;
  const runOnce = createRunOnce(db, clock, takeBackIfErased);
  const shared = {
    db,
    clock,
    complaintsPerDay,
    erasureList,
    sendsMail,
    runOnce,
    attempt,
    parse: parseSubmission,
    requireAllowed,
    requirePast,
  };
  const writer = { ...session, principal: { ...session.principal, acceptLanguage: language } };
  return {
    writing: createWritingActions({ ...shared, committed: takeBackIfErased }, writer),
    mine: createPersonalActions(shared, session, language),
    sendReport: createOwnReports({ db, runOnce }, writer.principal),
  };
};

/** Connects private pages with the features: each area of pages has its actions, for the person who asks. */
export const connectPrivatePages = (parts: ActionParts): Omit<PrivateParts, 'pages'> => {
  const { db, clock, keepsAddresses } = parts;
  const signInParts = createSignInParts(parts);
  return {
    findSession: (cookie) => findSession(db, clock, cookie),
    describeVisitor: (session) => describeVisitor(db, session, signInParts.deliver !== undefined),
    actionsFor: (asker: Asker): PrivateActions => {
      const { session, language } = asker;
      const own = session && createOwnActions(parts, session, language);
      return {
        signIn: createSignInActions(signInParts, asker),
        writing: own?.writing,
        mine: own?.mine,
        cases: createCaseActions(db, clock, {
          sendsMail: keepsAddresses,
          asker: asker.address,
          sendOwn: own?.sendReport,
        }),
        disputes: createAnswerActions(
          db,
          clock,
          session && { ...session.principal, acceptLanguage: language },
          takeBackIfErased,
        ),
        desk: openDesk(db, clock, asker),
      };
    },
  };
};
