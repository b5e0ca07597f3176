import type { Sha256 } from '@broker-transparency/log';
import { canonicalJson, toBase64 } from '@broker-transparency/log';
import * as z from 'zod';

/**
 * The checks of a prober in every minute. `enterprise`, `feed`, `write` and `webhook` need credentials from the
 * operator.
 */
export const CHECKS = ['public', 'enterprise', 'feed', 'proof', 'write', 'webhook'] as const;
/** One of {@link CHECKS}. */
export type CheckName = (typeof CHECKS)[number];

/** Milliseconds counted for a failed check: the wait of a caller. */
export const CHECK_TIMEOUT_MS = 5000;

/** The most milliseconds that a result can name. */
export const MOST_MS = 600_000;
/** The most characters of an error. */
export const MOST_ERROR = 200;

/** Forms of the texts in a result. */
export const FORMS = {
  prober: { form: /^[a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?$/, why: 'must be a name such as frankfurt-1' },
  minute: {
    form: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\dZ$/,
    why: 'must be a minute in UTC such as 2026-11-23T10:05Z',
  },
  hash: { form: /^[A-Za-z0-9+/]{43}=$/, why: 'must be a SHA-256 in base64' },
  signature: { form: /^[A-Za-z0-9+/]{86}==$/, why: 'must be an Ed25519 signature in base64' },
} as const;

/** Returns true if a text can be encoded in UTF-8, and so hashed: a lone surrogate cannot. */
export const isText = (text: string): boolean => !/[\uD800-\uDFFF]/u.test(text);

/* Schemas are made in functions that are marked as pure: who does not use them, as the client, does without zod. */

const text = ({ form, why }: { readonly form: RegExp; readonly why: string }) => z.string().regex(form, why);
const milliseconds = () => z.int().min(0).max(MOST_MS);

/** The outcome of one check. */
export const CheckResult = /* @__PURE__ */ (() =>
  z.strictObject({
    ok: z.boolean(),
    ms: milliseconds().describe('How long the answer took; of a failed check at least the time waited.'),
    error: z
      .string()
      .min(1)
      .max(MOST_ERROR)
      .refine(isText, 'must have no lone surrogate')
      .optional()
      .describe('What was wrong.'),
  }))();
/** The outcome of one check. */
export type CheckResult = z.infer<typeof CheckResult>;

/** A prober's result of one minute: a line of its file. */
export const ProbeResult = /* @__PURE__ */ (() =>
  z
    .strictObject({
      prober: text(FORMS.prober),
      minute: text(FORMS.minute),
      checks: z
        .strictObject(
          Object.fromEntries(CHECKS.map((name) => [name, CheckResult.optional()])) as Record<
            CheckName,
            z.ZodOptional<typeof CheckResult>
          >,
        )
        .describe('The minute is up for this prober if all that it checked were right.'),
      freshnessMs: milliseconds().optional().describe('From a commit until the feed had it.'),
      webhookMs: milliseconds().optional().describe('From a commit until its webhook arrived.'),
      previous: text(FORMS.hash)
        .nullable()
        .describe('Hash of the line before it on the same day; null: it is the first.'),
      signature: text(FORMS.signature)
        .optional()
        .describe('Covers this line and, by `previous`, all before it. Only the last line needs one.'),
    })
    .meta({ id: 'ProbeResult', description: 'What a prober saw in one minute.' }))();
/** A prober's result of one minute. */
export type ProbeResult = z.infer<typeof ProbeResult>;

/** The counted fields of a result. */
export type Measurement = Pick<ProbeResult, 'minute' | 'checks' | 'freshnessMs' | 'webhookMs'>;

/** Returns true if the service was up in this minute, as measured by the prober. */
export const isUp = ({ checks }: Pick<ProbeResult, 'checks'>): boolean => {
  const all = Object.values(checks);
  return all.length > 0 && all.every((check) => check?.ok);
};

/** The text that a signature covers and that the next line's `previous` is the hash of. */
export const signedText = ({ signature: _, ...said }: ProbeResult): string => canonicalJson(said);

/** A result as a line of a file, without its end. */
export const formatResult = (result: ProbeResult): string => canonicalJson(result);

/** Returns the hash that the next line has as `previous`. */
export const hashResult = (result: ProbeResult, sha256: Sha256): string =>
  toBase64(sha256(new TextEncoder().encode(signedText(result))));
