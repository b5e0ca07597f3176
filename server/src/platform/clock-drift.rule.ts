/**
 * Greatest difference in seconds between the clocks of the machine and of the database. Beyond it, no job runs and
 * nothing is signed.
 */
export const MOST_DRIFT_SECONDS = 30;

/**
 * Returns an error text if the clock differs too much from the database's; undefined otherwise.
 * @param seconds seconds by which it is ahead; negative if it is behind
 */
export const explainDrift = (seconds: number): string | undefined => {
  if (Math.abs(seconds) <= MOST_DRIFT_SECONDS) return undefined;
  const place = seconds > 0 ? 'ahead of' : 'behind';
  return (
    `The clock of this machine is ${Math.round(Math.abs(seconds))} s ${place} that of the database: set both right by NTP. ` +
    'Until then no job runs here, and nothing is signed.'
  );
};
