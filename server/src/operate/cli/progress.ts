import cliProgress from 'cli-progress';
import { terminal } from '../../platform/terminal.ts';

/** Interval in milliseconds between progress lines if standard error is no terminal. Shorter work prints none. */
const LINE_MS = 10_000;

/** Shows progress on standard error: a bar on a terminal, otherwise one line every ten seconds. */
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
        terminal().writeError(`${phase}: ${done} of ${of}\n`);
        lineAt = Date.now() + LINE_MS;
      }
    },
    stop: (): void => bar.stop(),
  };
};
