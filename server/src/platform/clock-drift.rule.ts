/** From more seconds than this between the clocks of a machine and of the database on, no job runs and nothing is signed. */
export const MOST_DRIFT_SECONDS = 30;

/** Returns why a clock that is so many seconds ahead of the database's is wrong; undefined if it is not. */
export const explainDrift = (seconds: number): string | undefined => {
  if (Math.abs(seconds) <= MOST_DRIFT_SECONDS) return undefined;
  const place = seconds > 0 ? 'ahead of' : 'behind';
  return (
    `The clock of this machine is ${Math.round(Math.abs(seconds))} s ${place} that of the database: set both right by NTP. ` +
    'Until then no job runs here, and nothing is signed.'
  );
};
