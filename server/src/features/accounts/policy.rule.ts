/** Budget of the webhook per address and minute. A provider may send the results of a whole night at once. */
export const KYC_WEBHOOK_LIMIT = 600;
