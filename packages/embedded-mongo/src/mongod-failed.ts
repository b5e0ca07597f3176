const EXIT_ADDRESS_IN_USE = 48;

/** mongod did not start. A retry depends on whether another process was faster. */
export class MongodFailed extends Error {
  /** True if another process has taken the port or the data directory first. */
  readonly raced: boolean;

  constructor(version: string, exitCode: number | null, reason: string) {
    super(`mongod ${version} did not start: ${reason}`);
    this.raced = exitCode === EXIT_ADDRESS_IN_USE || reason.startsWith('DBPathInUse');
  }
}
