/** The owner and the rights of a file. */
export interface FileRights {
  readonly uid: number;
  /** Its permission bits, such as 0o600. */
  readonly mode: number;
}

/**
 * Returns whether only the reader and the owner can use a file. systemd passes a credential as a file of root with mode
 * 0440: the group's permission is the mask of an access list that names only the reader.
 * @param me user id of the reader; undefined on systems without user ids
 */
export const isPrivate = ({ uid, mode }: FileRights, me: number | undefined): boolean =>
  (mode & 0o077) === 0 || (mode === 0o440 && uid !== me);
