/**
 * A customer who downloads files one after another, a process that stands for another machine: it has the lowest
 * priority, so that what is measured here has the processor first.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { constants, setPriority } from 'node:os';

/** The order to download: once through, or over and over until the next message. */
export interface Download {
  readonly urls: readonly string[];
  readonly key: string;
  readonly isEndless: boolean;
}

/** The result of a download. */
export interface DownloadResult {
  readonly bytes: number;
  readonly seconds: number;
}

setPriority(constants.priority.PRIORITY_LOW);
let isOver = false;

const fetchFile = async (url: string, key: string): Promise<number> => {
  const sent = get(url, { headers: { Authorization: `Bearer ${key}` } });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  return bytes;
};

const download = async ({ urls, key, isEndless }: Download): Promise<DownloadResult> => {
  const begun = performance.now();
  let bytes = 0;
  do for (const url of urls) if (!(isEndless && isOver)) bytes += await fetchFile(url, key);
  while (isEndless && !isOver);
  return { bytes, seconds: (performance.now() - begun) / 1000 };
};

process.on('message', (message: Download | 'stop') => {
  isOver = message === 'stop';
  if (message !== 'stop') void download(message).then((done) => process.send?.(done));
});
