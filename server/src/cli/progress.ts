import cliProgress from 'cli-progress';

/** A bar on a terminal, nothing elsewhere. */
export const createProgress = () => {
  const bar = new cliProgress.SingleBar({
    format: '{phase} {bar} {percentage}% {eta_formatted}',
    stream: process.stderr,
    noTTYOutput: false,
    clearOnComplete: true,
  });
  let started = '';
  return {
    show: (phase: string, bytes: number, ofBytes: number): void => {
      if (!process.stderr.isTTY) return;
      if (started !== phase) bar.start(ofBytes, 0, { phase });
      started = phase;
      bar.update(bytes);
    },
    stop: (): void => bar.stop(),
  };
};
