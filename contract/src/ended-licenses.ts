/** Statuses of a licence that has ended. A broker no longer holds such a licence. */
export const ENDED_LICENSE_STATUSES = ['withdrawn', 'revoked', 'expired'] as const;
