import cliProgress from 'cli-progress';

/** Shows how far something has come on standard error: a bar on a terminal, elsewhere a line every tenth. */
export const createProgress = () => {
  const bar = new cliProgress.SingleBar({
    format: '{bar} {percentage}% {value}/{total} {eta_formatted}',
    stream: process.stderr,
    clearOnComplete: true,
  });
  let started = false;
  let tenth = -1;
  return {
    show: (done: number, of: number): void => {
      if (process.stderr.isTTY) {
        if (!started) bar.start(of, done);
        started = true;
        bar.update(Math.min(done, of));
        return;
      }
      const now = Math.floor((10 * done) / Math.max(1, of));
      if (now > tenth) process.stderr.write(`${done} of ${of}\n`);
      tenth = Math.max(tenth, now);
    },
    stop: (): void => bar.stop(),
  };
};
