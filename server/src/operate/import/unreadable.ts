/** A fault that makes a whole file, or the rest of it, unreadable. The message names the line. */
export class UnreadableFile extends Error {}
