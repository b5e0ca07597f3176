import { type ChildProcess, spawn } from 'node:child_process';
import { bin, type Service } from './process.ts';

/** `review work` in a process of its own, whose keys come from a pipe. */
export interface ReviewWork {
  readonly child: ChildProcess;
  /** Everything that it has printed so far. */
  readonly output: () => string;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts `review work` on the database of a service. */
export const startReviewWork = (service: Service, ...options: readonly string[]): ReviewWork => {
  const child = spawn(process.execPath, [bin, 'review', 'work', ...options], {
    env: { ...process.env, ...service.data } as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { child, output: () => output, ended };
};
