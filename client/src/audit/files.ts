import { AnswerError, InvalidResponseError, RequestError } from '../errors.ts';
import { type FileSource, requestFile } from '../transfer.ts';
import { DownloadError } from './failure.ts';

/** Returns the address that requests of a source begin with. */
export const formatAddress = ({ settings, api }: FileSource, path: string): string => settings.base + api + path;

/** Remedies by the status of an answer. */
const CURES: Readonly<Record<number, string>> = {
  404: ': the address of a log ends with its name, as in https://brokers.example/transparency/v1/log/a',
  429: ': its budget is exceeded, try again later',
};

/** Returns the error about a file by the error of its request. */
const toDownloadError = (address: string, cause: RequestError): DownloadError => {
  if (!(cause instanceof AnswerError) || (cause instanceof InvalidResponseError && cause.response.ok))
    return new DownloadError(cause.message, cause instanceof AnswerError, { cause });
  const { status } = cause;
  const isBusy = status === 429 || status >= 500;
  return new DownloadError(`${address} answers ${status}${CURES[status] ?? ''}`, !isBusy, { status, cause });
};

/**
 * Returns a file; undefined if there is none.
 * @throws DownloadError if nobody answers it, or the reason of the signal
 */
export const findFile = (source: FileSource, path: string): Promise<Uint8Array | undefined> =>
  requestFile(source, path).catch((error: unknown) => {
    throw error instanceof RequestError ? toDownloadError(formatAddress(source, path), error) : error;
  });

/**
 * Returns a file.
 * @throws DownloadError if there is no such file, or nobody answers, or the reason of the signal
 */
export const readFile = async (source: FileSource, path: string): Promise<Uint8Array> => {
  const bytes = await findFile(source, path);
  if (bytes) return bytes;
  throw new DownloadError(`${formatAddress(source, path)} answers 404${CURES[404]}`, true, { status: 404 });
};
