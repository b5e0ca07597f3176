/** Most brokers that one address follows or has asked to follow. */
export const MOST_FOLLOWED = 100;
/** Most warnings of one broker of which it is kept that a follower was told. */
export const MOST_TOLD = 100;
