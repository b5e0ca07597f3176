import * as z from 'zod';
import { meta } from './metadata.ts';
import { Extensible, NoBody, NoQuery, Text, Timestamp } from './primitives.ts';
import { AUTH_PROBLEMS, BODY_PROBLEMS, IDEMPOTENCY_PROBLEMS, problems } from './problem.ts';
import { IdempotencyHeaders } from './reviews.ts';
import type { RouteGroup } from './route.ts';

/** Languages in which people are written to. */
export const MAIL_LANGUAGES = ['en', 'de', 'es'] as const;

/** Ways by which an address was confirmed. */
export const MAIL_SOURCES = ['identity_provider', 'code'] as const;

/** The caller's address for notices about their submissions. */
export const OwnMail = z
  .object({
    address: z.string().nullable().meta({ description: 'Where you are told; null: nowhere' }),
    source: Extensible(z.enum(MAIL_SOURCES)).nullable(),
    confirmedAt: Timestamp.nullable(),
    language: Extensible(z.enum(MAIL_LANGUAGES)).nullable().meta({ description: 'Null: as your requests say' }),
    pending: z
      .object({ address: z.string(), endsAt: Timestamp })
      .nullable()
      .meta({ description: 'The address that a code was sent to, and until when the code is good' }),
  })
  .meta({ id: 'OwnMail' });
export type OwnMail = z.infer<typeof OwnMail>;

/** The address and the language for notices. Omitted fields do not change. */
export const MailRequest = z
  .strictObject({
    address: z
      .email()
      .max(254)
      .optional()
      .meta({ description: 'A code is sent there', examples: ['me@mail.example'] }),
    language: z.enum(MAIL_LANGUAGES).optional(),
  })
  .meta({ id: 'MailRequest' });

/** The code that an address got. */
export const MailCode = z
  .strictObject({ code: Text(10, 20).meta({ examples: ['K7QM2-9XF4T'] }) })
  .meta({ id: 'MailCode' });

const WRITE_PROBLEMS = [...AUTH_PROBLEMS, ...IDEMPOTENCY_PROBLEMS] as const;
const writes = meta({
  access: { scope: 'account:write', kyc: false },
  limit: 'public',
  cache: 'none',
  idempotency: 'key',
});

/** Routes for people's addresses for notices. */
export const mailRoutes = {
  show: {
    method: 'GET',
    path: '/mail',
    summary: 'Where you are told what becomes of what you sent',
    query: NoQuery,
    responses: { 200: OwnMail, ...problems(...AUTH_PROBLEMS) },
    metadata: meta({ access: { scope: 'account:read', kyc: false }, limit: 'public', cache: 'none' }),
  },
  request: {
    method: 'POST',
    path: '/mail',
    summary: 'Be told at another address, or in another language',
    description: 'A code is sent to the address. Nothing else goes there until you confirm it.',
    query: NoQuery,
    headers: IdempotencyHeaders,
    body: MailRequest,
    responses: { 201: OwnMail, ...problems('state_conflict', ...WRITE_PROBLEMS, ...BODY_PROBLEMS) },
    metadata: writes,
  },
  confirm: {
    method: 'POST',
    path: '/mail/confirmation',
    summary: 'Confirm an address by the code that it got',
    description: 'A code is good for a day, and for five tries.',
    query: NoQuery,
    body: MailCode,
    responses: { 201: OwnMail, ...problems('state_conflict', ...AUTH_PROBLEMS, ...BODY_PROBLEMS) },
    metadata: meta({ access: { scope: 'account:write', kyc: false }, limit: 'public', cache: 'none' }),
  },
  stop: {
    method: 'POST',
    path: '/mail/removal',
    summary: 'Get no more mail, and have your address removed',
    query: NoQuery,
    headers: IdempotencyHeaders,
    body: NoBody,
    responses: { 201: OwnMail, ...problems(...WRITE_PROBLEMS) },
    metadata: writes,
  },
} as const satisfies RouteGroup;
