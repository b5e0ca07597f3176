/** How long a request waits for its confirmation, in milliseconds. */
export const REQUEST_LASTS_MS = 86_400_000;
/** Most brokers that one address follows or has asked to follow. */
export const MOST_FOLLOWED = 100;
/** Most warnings of one broker of which it is kept that a follower was told. */
export const MOST_TOLD = 100;
