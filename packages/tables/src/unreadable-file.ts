/** A file cannot be read. The message continues after the name of the file, without a full stop. */
export class UnreadableFileError extends Error {
  override name = 'UnreadableFileError';
}
