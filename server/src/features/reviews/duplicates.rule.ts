interface AuthoredReview {
  readonly accountId: string;
  readonly broker: string;
}

/**
 * Returns the live reviews that share broker and person with another one, grouped by broker in the order of writing.
 * @param persons the account ids of each person who has several accounts
 */
export const findDuplicates = <T extends AuthoredReview>(
  persons: readonly (readonly string[])[],
  reviews: readonly T[],
): T[] => {
  const personByAccount = new Map(persons.flatMap((accounts, person) => accounts.map((id) => [id, person] as const)));
  const groups = Map.groupBy(
    reviews,
    ({ broker, accountId }) => `${broker} ${personByAccount.get(accountId) ?? accountId}`,
  );
  return [...groups]
    .filter(([, group]) => group.length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => group);
};
