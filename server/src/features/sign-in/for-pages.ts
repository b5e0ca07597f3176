import type { PersonSession } from '../../http/auth/person-session.ts';
import type { Cookies } from '../../http/request/cookies.ts';
import type { Context } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { findOrCreateAccount } from '../accounts/credentials.ts';
import { namesSubject, toKycReference } from '../accounts/kyc-event.rule.ts';
import { mailAddress } from '../notices/address.rule.ts';
import { type DeliverLink, type EndedSignIn, findAsked, requestLink, useCode, useLink, viewLink } from './links.ts';
import { REQUEST_MS } from './policy.rule.ts';
import type { ConnectedProvider, ProvenPerson, ProviderFlow } from './provider.ts';
import { createSession, endOtherSessions, endSession, isFreshProof, listOwnSessions } from './sessions.ts';

/** A sign-in, for the log. `unproven`: the provider did not say that the person proved again who they are. */
export interface SignInEvent {
  readonly method: 'provider' | 'link';
  readonly outcome: 'in' | 'blocked' | 'unproven';
}

/** How people sign in to a service. */
export interface SignInParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly provider: ConnectedProvider | undefined;
  /** True if the service sends mail. */
  readonly sendsMail: boolean;
  /** In a demo: brings links in place of mails. */
  readonly deliver: DeliverLink | undefined;
  /** Address at which people have their identity verified, with `{subject}` for a reference to their account. */
  readonly kycUrl: string | undefined;
  /** Called with each sign-in, and each that was refused after the person was known. */
  readonly onSignIn: (event: SignInEvent) => void;
  /** Called if so many links went out within an hour that nobody gets one. */
  readonly onFull: () => void;
  /** Deletes the drafts that exist in a session alone. */
  readonly endDrafts: (sessionId: string) => Promise<unknown>;
}

/** The person and the browser that ask. */
interface SignInAsker {
  readonly session: PersonSession | undefined;
  readonly cookies: Cookies;
  /** Code of a language. */
  readonly language: string;
  /** Key of the network address that requests are counted for. */
  readonly address: string;
}

const REQUEST_SECONDS = REQUEST_MS / 1000;

const encodeFlow = (flow: ProviderFlow): string => Buffer.from(JSON.stringify(flow)).toString('base64url');

/** Returns the sign-in that a browser has begun; undefined if its cookie holds none. */
const decodeFlow = (cookie: string | undefined): ProviderFlow | undefined => {
  try {
    const { state, nonce, verifier, to, from, again } = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString());
    const isWhole = [state, nonce, verifier, to, from].every((part) => typeof part === 'string' && part !== '');
    return isWhole ? { state, nonce, verifier, to, from, again: again === true } : undefined;
  } catch {
    return undefined;
  }
};

/** Returns where a person's identity is verified. A link that has to name them leads nowhere before they sign in. */
const toVerifyUrl = (kycUrl: string | undefined, accountId: string | undefined): string | undefined => {
  if (kycUrl === undefined || !namesSubject(kycUrl)) return kycUrl;
  return accountId && kycUrl.replaceAll('{subject}', encodeURIComponent(toKycReference(accountId)));
};

const findWay = ({ provider, sendsMail, deliver }: SignInParts) => {
  if (provider) return 'provider' as const;
  if (deliver) return 'demo' as const;
  return sendsMail ? ('link' as const) : ('none' as const);
};

/** Returns the actions by which pages sign people in and out. */
export const createSignInActions = (
  parts: SignInParts,
  { session, cookies, language, address: asker }: SignInAsker,
) => {
  const { db, clock, provider, sendsMail, deliver, kycUrl, onSignIn, onFull, endDrafts } = parts;
  const context: Context = { actor: { type: 'system', name: 'sign-in' }, clock, db };
  const way = findWay(parts);

  /** Ends the session of before with its drafts, so that no cookie of another sign-in goes on. */
  const endCurrent = async (): Promise<void> => {
    if (session) await endDrafts(session.id);
    const secret = cookies.read('session');
    if (secret !== undefined) await endSession(db, secret);
  };
  const enter = async ({ secret, to }: EndedSignIn): Promise<{ readonly to: string | undefined }> => {
    await endCurrent();
    cookies.remove('sign-in');
    cookies.write('session', secret);
    return { to };
  };
  const enterUnless = async <Refused extends string>(ended: EndedSignIn | Refused) => {
    const isIn = typeof ended !== 'string';
    if (isIn || ended === 'blocked') onSignIn({ method: 'link', outcome: isIn ? 'in' : 'blocked' });
    return isIn ? enter(ended) : ended;
  };

  const enterPerson = async (person: ProvenPerson, again: boolean) => {
    const { provenAt } = person;
    // whoever sits at the browser can take `max_age` out of the address: only the answer proves who they are
    if (again && !isFreshProof(provenAt, clock())) {
      onSignIn({ method: 'provider', outcome: 'unproven' });
      return 'unproven' as const;
    }
    const account = await findOrCreateAccount(context, person.subject);
    if (!account || account.blocked) {
      onSignIn({ method: 'provider', outcome: 'blocked' });
      return 'blocked' as const;
    }
    const email = sendsMail ? mailAddress(person.verifiedEmail) : undefined;
    const secret = await createSession(context, {
      accountId: account._id,
      method: 'provider',
      label: person.label,
      ...(email === undefined ? {} : { verifiedEmail: email }),
      ...(person.locale === undefined ? {} : { locale: person.locale }),
      ...(provenAt === undefined ? {} : { provenAt }),
    });
    await enter({ secret, to: undefined });
    onSignIn({ method: 'provider', outcome: 'in' });
    return 'in' as const;
  };

  return {
    way,
    verifyUrl: toVerifyUrl(kycUrl, session?.principal.accountId),
    begin: async (paths: Pick<ProviderFlow, 'to' | 'from' | 'again'>) => {
      const begun = await (provider?.begin(paths) ?? ('unreachable' as const));
      if (begun === 'unreachable') return begun;
      cookies.write('sign-in', encodeFlow(begun.flow), REQUEST_SECONDS);
      return { address: begun.address };
    },
    finish: async (query: string) => {
      const flow = decodeFlow(cookies.read('sign-in'));
      if (!provider || !flow) return { outcome: 'expired' as const, to: undefined, from: undefined };
      cookies.remove('sign-in');
      const { to, from, again } = flow;
      const person = await provider.finish(query, flow);
      return { outcome: typeof person === 'string' ? person : await enterPerson(person, again), to, from };
    },
    requestLink: async (address: string, to: string | undefined) => {
      if (way !== 'link' && way !== 'demo') return 'no_address';
      const browser = await requestLink(context, { address, to, language, asker, onFull }, deliver);
      if (browser === undefined) return 'no_address';
      cookies.write('sign-in', browser, REQUEST_SECONDS);
      return 'asked';
    },
    findAsked: () => findAsked(context, cookies.read('sign-in')),
    viewLink: (token: string) => viewLink(context, token, cookies.read('sign-in')),
    useLink: async (token: string) => enterUnless(await useLink(context, token, cookies.read('sign-in'))),
    useCode: async (code: string) => enterUnless(await useCode(context, code, cookies.read('sign-in'))),
    findProviderSignOut: async () => provider?.findSignOut(),
    listSessions: async () =>
      (session ? await listOwnSessions(db, clock, session) : []).map(({ createdAt, usedAt, ...one }) => ({
        ...one,
        createdAt: createdAt.toISOString(),
        usedAt: usedAt.toISOString(),
      })),
    endOthers: async (handle: string | undefined): Promise<void> => {
      const ended = session ? await endOtherSessions(db, clock, session, handle) : [];
      for (const id of ended) await endDrafts(id);
    },
    signOut: async (): Promise<void> => {
      await endCurrent();
      cookies.remove('session');
    },
  } as const;
};
