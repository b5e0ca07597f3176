import cliProgress from 'cli-progress';

/** Where nobody looks at a bar, a line this often says that it goes on; what is shorter stays silent. */
const LINE_MS = 10_000;

/** Shows on standard error how far something has come: a bar on a terminal, elsewhere a line every ten seconds. */
export const createProgress = () => {
  const bar = new cliProgress.SingleBar({
    format: '{phase} {bar} {percentage}% {value}/{total} {eta_formatted}',
    stream: process.stderr,
    clearOnComplete: true,
  });
  let shown = '';
  let lineAt = Date.now() + LINE_MS;
  return {
    show: (phase: string, done: number, of: number): void => {
      if (process.stderr.isTTY) {
        if (shown !== phase) bar.start(of, 0, { phase });
        shown = phase;
        bar.update(Math.min(done, of));
      } else if (Date.now() >= lineAt) {
        process.stderr.write(`${phase}: ${done} of ${of}\n`);
        lineAt = Date.now() + LINE_MS;
      }
    },
    stop: (): void => bar.stop(),
  };
};
