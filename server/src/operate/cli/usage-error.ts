/**
 * The command line lacks or contradicts something: exit code 2, and nothing was changed. The message names the cure.
 */
export class UsageError extends Error {}
