/** A setting that cannot be used. The message names the variable. */
export class ConfigError extends Error {}
