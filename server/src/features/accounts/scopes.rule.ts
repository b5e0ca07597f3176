import { IMPLIED_SCOPES, type Scope } from '@broker-transparency/contract';

/** What a credential was issued for. */
export interface Grant {
  readonly scopes: readonly Scope[];
  /** Said by whoever issued it, knowing of every scope there is: what is not named is not meant. */
  readonly scopesAreAll?: boolean;
  readonly expiresAt: Date;
}

/** Scopes that a credential has at a time without naming them: see `IMPLIED_SCOPES`. */
export const impliedScopes = (
  { scopes, scopesAreAll = false }: Omit<Grant, 'expiresAt'>,
  at: Date,
): readonly Scope[] => {
  const implied: readonly Scope[] = IMPLIED_SCOPES.scopes;
  const none = scopesAreAll || scopes.some((scope) => implied.includes(scope)) || at >= new Date(IMPLIED_SCOPES.endsAt);
  return none ? [] : implied;
};
