/**
 * Base class of all errors of this package. A call also throws the caller's own abort reason, a TypeError or RangeError
 * for arguments that cannot be sent, and errors of the caller's own functions.
 * @example if (error instanceof BrokerTransparencyError) console.error(error.message);
 */
export class BrokerTransparencyError extends Error {}
BrokerTransparencyError.prototype.name = 'BrokerTransparencyError';
