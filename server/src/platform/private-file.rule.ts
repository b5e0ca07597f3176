/** The owner and the rights of a file. */
export interface FileRights {
  readonly uid: number;
  /** Its permission bits, such as 0o600. */
  readonly mode: number;
}

/**
 * Returns whether nobody but the reader and its owner can use a file. systemd hands over a credential as a file of root
 * with mode 0440: the right of the group is the mask of an access list that names the reader alone.
 * @param me user id of the reader; undefined where users have none
 */
export const isPrivate = ({ uid, mode }: FileRights, me: number | undefined): boolean =>
  (mode & 0o077) === 0 || (mode === 0o440 && uid !== me);
