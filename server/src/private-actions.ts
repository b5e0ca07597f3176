import type { PrivateActions, Visitor } from '@broker-transparency/portal';
import { createCaseActions } from './features/moderation/for-pages.ts';
import { createSignInActions, type SignInEvent } from './features/sign-in/for-pages.ts';
import { connectSignIn, type SignInProvider } from './features/sign-in/provider.ts';
import { findSession } from './features/sign-in/sessions.ts';
import type { PersonSession } from './http/auth/person-session.ts';
import type { Clock } from './platform/clock.ts';
import type { Db } from './platform/mongo.ts';
import type { Log } from './platform/observe/log.ts';
import { isThisMachine } from './platform/outbound/addresses.ts';
import type { Asker, PrivateParts } from './site/private.ts';

/** How people sign in to the pages of a service. */
export interface SignInOptions {
  /** The identity provider at which people sign in. */
  readonly provider: SignInProvider | undefined;
  /** Address at which people have their identity verified, with `{subject}` for their subject. */
  readonly kycUrl: string | undefined;
  /** In a demo: shows a line where it runs. */
  readonly tellDemo: ((line: string) => void) | undefined;
}

/** The parts that the actions of private pages use. */
interface ActionParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: string;
  /** True if the service sends mail. */
  readonly keepsAddresses: boolean;
  readonly signIn: SignInOptions;
}

/** Returns the function that shows links where a demo runs, in place of mails. */
const createDemoDelivery =
  (publicUrl: string, tell: (line: string) => void) =>
  (email: string, token: string): void =>
    tell(
      [
        '',
        `DEMO ONLY: the link to sign in as ${email}, in the browser that asked for it:`,
        `  ${publicUrl}/sign-in/link/${token}`,
        'A service sends it by mail. To verify the identity of this fictional person, so that they can review:',
        `  pnpm cli account kyc 'mail:${email.toLowerCase()}' verified`,
        '',
      ].join('\n'),
    );

/** Returns how people sign in. Where others on the way could take a session, nobody can. */
const createSignInParts = ({ db, clock, log, publicUrl, keepsAddresses, signIn }: ActionParts) => {
  const { provider, kycUrl, tellDemo } = signIn;
  const { protocol, hostname } = new URL(publicUrl);
  const isSafe = protocol === 'https:' || isThisMachine(hostname);
  const onFault = (error: unknown): void => log.warn({ err: error }, 'sign-in at the identity provider (OIDC_ISSUER)');
  return {
    db,
    clock,
    kycUrl,
    onSignIn: (event: SignInEvent): void => log.info(event, 'sign-in to the pages'),
    provider: provider && isSafe ? connectSignIn(provider, publicUrl, { onFault }) : undefined,
    sendsMail: keepsAddresses && isSafe,
    deliver: tellDemo && !keepsAddresses ? createDemoDelivery(publicUrl, tellDemo) : undefined,
  };
};

/** Returns what a private page knows of the person who is signed in. */
const describeVisitor = async ({ label, method, principal }: PersonSession): Promise<Visitor> => ({
  label,
  method,
  isVerified: principal.kycVerified,
  brokers: [],
  operator: undefined,
});

/** Connects private pages with the features: each area of pages has its actions, for the person who asks. */
export const connectPrivatePages = (parts: ActionParts): Omit<PrivateParts, 'pages'> => {
  const { db, clock } = parts;
  const signIn = createSignInParts(parts);
  return {
    findSession: (cookie) => findSession(db, clock, cookie),
    describeVisitor,
    actionsFor: (asker: Asker): PrivateActions => ({
      signIn: createSignInActions(signIn, asker),
      writing: {},
      mine: {},
      cases: createCaseActions(db, clock, parts.keepsAddresses),
      disputes: {},
      desk: {},
    }),
  };
};
