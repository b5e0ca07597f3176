import { commitmentInput, toBase64 } from '@broker-transparency/log';
import type { FileSource } from '../transfer.ts';
import { DownloadError } from './failure.ts';
import { formatAddress, readFile } from './files.ts';
import { sha256 } from './hash.ts';
import type { CommitmentCheck, Openings } from './texts.ts';

/** Keys that one request names: with the longest slugs it stays below the 16 kB that a request line may have. */
const AT_ONCE = 100;

/** Reads what opens the commitments of entries from the address of openings. @throws DownloadError */
export const readOpenings = async (source: FileSource, keys: readonly string[]): Promise<Openings> => {
  const openings = new Map<string, Readonly<Record<string, string>>>();
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const query = new URLSearchParams({ keys: keys.slice(at, at + AT_ONCE).join() });
    const answer = await readFile(source, `?${query}`).catch((error: unknown) => {
      if (!(error instanceof DownloadError)) throw error;
      const { message, isAnswered, status, cause } = error;
      const short = status === undefined ? message : `${formatAddress(source, '')} answers ${status}`;
      throw new DownloadError(short, isAnswered, { status, cause });
    });
    const { data } = JSON.parse(new TextDecoder().decode(answer));
    for (const { key, salts } of data) openings.set(key, { ...salts });
  }
  return openings;
};

/** Returns true if an entry commits to this text. */
export const isCommitted: CommitmentCheck = (salted, commitment) => {
  try {
    return toBase64(sha256(commitmentInput(salted))) === commitment;
  } catch (error) {
    if (error instanceof SyntaxError) return false; // its random bytes are not base64
    throw error;
  }
};
