import * as z from 'zod';
import { DomainError } from '../platform/domain-error.ts';
import { isNetwork, isThisMachine } from '../platform/outbound/addresses.ts';

/** Returns whether an address is encrypted on its way, or leads to this machine. */
const isSafe = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || /\s/.test(text) || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
};

const networks = z.string().transform((text, ctx) => {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every(isNetwork)) return parts;
  ctx.addIssue({ code: 'custom', message: 'must be networks such as 10.1.0.0/16,fd00::/8, joined by commas' });
  return z.NEVER;
});

/** How people sign in to the pages of the service, and where their identity is verified. */
export const SignInSettings = z.object({
  OIDC_ISSUER: z
    .string()
    .refine(
      (text) => isSafe(text) && !/[?#|]/.test(text),
      'must be like https://login.example/realm, without query and fragment (http to this machine only)',
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().regex(/^\S+$/, 'must be one name without blanks').optional(),
  OIDC_CLIENT_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be the secret of the client, without blanks')
    .optional(),
  OIDC_NETWORKS: networks.optional(),
  KYC_URL: z.string().refine(isSafe, 'must be like https://kyc.example/start?person={subject}').optional(),
});

interface OtherSettings {
  readonly JWT_ISSUER?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
}

/**
 * Returns the identity provider at which people sign in, or undefined if none is set.
 * @throws DomainError if only some of its variables are set, or they contradict others
 */
const readProvider = (data: z.output<typeof SignInSettings> & OtherSettings) => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET, OIDC_NETWORKS, JWT_ISSUER } = data;
  const refuse = (why: string): DomainError => new DomainError('invalid_setting', why);
  if (issuer === undefined && clientId === undefined) {
    if (OIDC_CLIENT_SECRET === undefined && OIDC_NETWORKS === undefined) return undefined;
    throw refuse('OIDC_CLIENT_SECRET and OIDC_NETWORKS need OIDC_ISSUER and OIDC_CLIENT_ID, which are not set');
  }
  if (issuer === undefined || clientId === undefined)
    throw refuse('OIDC_ISSUER and OIDC_CLIENT_ID must be set together: people sign in by both');
  if (JWT_ISSUER !== undefined && JWT_ISSUER !== issuer)
    throw refuse('OIDC_ISSUER and JWT_ISSUER must be the same: a person has one account for pages and programs');
  if (data.PUBLIC_URL !== undefined && !isSafe(data.PUBLIC_URL))
    throw refuse('PUBLIC_URL must begin with https:// beside OIDC_ISSUER: anybody on the way could take a session');
  return { issuer, clientId, clientSecret: OIDC_CLIENT_SECRET, networks: OIDC_NETWORKS ?? [] };
};

/** Returns how people sign in. @throws DomainError as its settings say */
export const toSignIn = (data: z.output<typeof SignInSettings> & OtherSettings) => ({
  provider: readProvider(data),
  kycUrl: data.KYC_URL,
});
