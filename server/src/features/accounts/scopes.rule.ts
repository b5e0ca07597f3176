import { IMPLIED_SCOPES, type Scope } from '@broker-transparency/contract';

/** What a credential grants. */
export interface Grant {
  readonly scopes: readonly Scope[];
  /** True if the issuer knew every current scope, so that a scope which is not listed is not granted. */
  readonly scopesAreAll?: boolean;
  readonly expiresAt: Date;
}

/** Returns the scopes that a credential has at a time without naming them; see `IMPLIED_SCOPES`. */
export const impliedScopes = (
  { scopes, scopesAreAll = false }: Omit<Grant, 'expiresAt'>,
  at: Date,
): readonly Scope[] => {
  const implied: readonly Scope[] = IMPLIED_SCOPES.scopes;
  const none = scopesAreAll || scopes.some((scope) => implied.includes(scope)) || at >= new Date(IMPLIED_SCOPES.endsAt);
  return none ? [] : implied;
};
