import { isAllowed, NOBODY, type Rights, type Role } from './policy.rule.ts';

/** A call of a command. */
export interface CommandCall {
  /** The words of the command, such as `review publish`. */
  readonly command: string;
  readonly rights: Rights;
  /** The name given by `--actor`, if any. */
  readonly actor: string | undefined;
}

/** The token of a call, with its operator. */
export interface PresentedToken {
  readonly id: string;
  readonly expiresAt: Date;
  readonly revokedAt?: Date | undefined;
  readonly operator: { readonly name: string; readonly role: Role; readonly endedAt?: Date | undefined };
}

/** Reason for which a call is refused; recorded in the audit trail. */
export type RefusalCode =
  | 'token_missing'
  | 'token_unknown'
  | 'token_expired'
  | 'token_revoked'
  | 'operator_ended'
  | 'other_actor'
  | 'role_not_allowed';

export type CallDecision =
  | { readonly kind: 'unbound'; readonly name: string }
  | { readonly kind: 'bound'; readonly token: PresentedToken }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string };

const refuseCall = (code: RefusalCode, detail: string): CallDecision => ({ kind: 'refused', code, detail });

const findTokenFault = (
  { id, expiresAt, revokedAt, operator }: PresentedToken,
  now: Date,
): CallDecision | undefined => {
  if (operator.endedAt) return refuseCall('operator_ended', `${operator.name} is no longer an operator.`);
  if (revokedAt) return refuseCall('token_revoked', `Token ${id} was revoked. An admin issues another one.`);
  if (expiresAt <= now)
    return refuseCall('token_expired', `Token ${id} expired ${expiresAt.toISOString()}. An admin issues another one.`);
  return undefined;
};

/** Judges a call without a token. */
const evaluateTokenless = ({ command, actor }: CommandCall, isUnattended: boolean): CallDecision => {
  if (isUnattended && (actor === undefined || actor === NOBODY)) return { kind: 'unbound', name: NOBODY };
  if (isUnattended)
    return refuseCall(
      'other_actor',
      `--actor ${actor} needs the token of ${actor}. Without --actor it runs as ${NOBODY}.`,
    );
  return refuseCall(
    'token_missing',
    `There are operators, so "${command}" needs your token: set BROKER_RATING_TOKEN, or add --token-file FILE.`,
  );
};

/**
 * Judges a call of a service that has operators.
 * @param token the stored token; undefined if none was given, null if it is unknown
 */
export const evaluateCall = (call: CommandCall, token: PresentedToken | null | undefined, now: Date): CallDecision => {
  const { rights } = call;
  if (rights.open) return evaluateTokenless(call, true);
  if (token === undefined) return evaluateTokenless(call, rights.unattended === true);
  if (token === null) return refuseCall('token_unknown', 'This is no token of an operator.');
  const fault = findTokenFault(token, now);
  if (fault) return fault;
  const { name, role } = token.operator;
  if (call.actor !== undefined && call.actor !== name)
    return refuseCall(
      'other_actor',
      `The token is that of ${name}, and --actor says ${call.actor}. Leave --actor out.`,
    );
  if (!rights.unattended && !isAllowed(role, rights))
    return refuseCall('role_not_allowed', `${name} has the role ${role}, which may not run "${call.command}".`);
  return { kind: 'bound', token };
};
