/** A customer, as far as the statement about its interest needs it. */
interface StatedCustomer {
  readonly name: string;
  readonly agreement: { readonly acceptedAt: Date; readonly endsAt?: Date | undefined };
  /** When it accepted its first agreement; absent for one that was stored without it. */
  readonly firstAcceptedAt?: Date | undefined;
  readonly interest?: { readonly broker: string; readonly isPerson: boolean } | undefined;
}

/**
 * Returns the statement of page and record about a customer that is a broker or belongs to one; undefined for others. A
 * natural person has no name in it. Times are RFC 3339 in UTC; `broker` is the key.
 */
export const describeInterest = ({
  name,
  agreement: { acceptedAt, endsAt },
  firstAcceptedAt = acceptedAt,
  interest,
}: StatedCustomer) =>
  interest && {
    name: interest.isPerson ? null : name,
    broker: interest.broker,
    since: firstAcceptedAt.toISOString(),
    until: endsAt?.toISOString() ?? null,
  };
