/** Returns the name of a log in addresses and folders: the last part of its origin. */
export const logName = (origin: string): string => origin.slice(origin.lastIndexOf('/') + 1);
