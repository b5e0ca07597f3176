import type { Role } from './policy.rule.ts';

interface OperatorState {
  readonly _id: string;
  readonly role: Role;
  readonly endedAt?: Date | undefined;
}

interface TokenState {
  readonly operator: string;
  readonly expiresAt: Date;
  readonly revokedAt?: Date | undefined;
}

/** Counts the admins who have a valid token. */
export const countWorkingAdmins = (
  operators: readonly OperatorState[],
  tokens: readonly TokenState[],
  now: Date,
): number => {
  const working = new Set(
    tokens.filter(({ revokedAt, expiresAt }) => !revokedAt && expiresAt > now).map(({ operator }) => operator),
  );
  return operators.filter(({ _id, role, endedAt }) => role === 'admin' && !endedAt && working.has(_id)).length;
};

/** Returns true if access needs a second admin: once two admins have valid tokens. */
export const needsSecondAdmin = (workingAdmins: number): boolean => workingAdmins >= 2;
