/** The webhook's own budget, per address and minute: a provider may send a whole night's reviews at once. */
export const KYC_WEBHOOK_LIMIT = 600;
