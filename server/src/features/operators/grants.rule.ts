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

/** Counts the admins who can act: each has a token that works. */
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

/** Returns whether access needs a second admin: once there are two who can act. */
export const needsSecondAdmin = (workingAdmins: number): boolean => workingAdmins >= 2;
