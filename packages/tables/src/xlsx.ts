import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SheetRow } from './cell.rule.ts';
import { UnreadableFileError } from './unreadable-file.ts';
import type { WorkerInput, WorkerMessage } from './xlsx-worker.ts';

const MB = 1_000_000;

/** Bounds of a workbook. */
interface XlsxLimits {
  /** Bytes of the file, and of its unpacked parts. */
  readonly packed: number;
  readonly unpacked: number;
  readonly heapMb: number;
  readonly seconds: number;
}

/** Bounds of a workbook, since all of it is in memory. CSV has none. */
const LIMITS: XlsxLimits = { packed: 50 * MB, unpacked: 150 * MB, heapMb: 768, seconds: 120 };

/** Maximum bytes of a file. A larger file is not read. */
export const MOST_PACKED = LIMITS.packed;

export interface XlsxOptions {
  readonly limits?: Partial<XlsxLimits>;
  /** Name of the sheet; the first one that is not hidden if omitted. */
  readonly sheet?: string | undefined;
  /** Called with the name of the sheet to be read, and of all sheets. */
  readonly onSheet?: ((sheet: string, sheets: readonly string[]) => void) | undefined;
}

/** The worker's file beside this one, in the sources or in the build. */
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './xlsx-worker.ts' : './xlsx-worker.js', import.meta.url);

const toTooLargeError = () => new UnreadableFileError('is too large to be read as a workbook: save the sheet as CSV');

/** Returns the worker's next message. @throws UnreadableFileError if it refuses, or exceeds its limits */
const awaitMessage = async (worker: Worker, seconds: number): Promise<Exclude<WorkerMessage, { refused: string }>> => {
  const limit = AbortSignal.timeout(seconds * 1000);
  try {
    const [said] = (await once(worker, 'message', { signal: limit })) as [WorkerMessage];
    if ('refused' in said) throw new UnreadableFileError(said.refused);
    return said;
  } catch (error) {
    const isTooMuch = limit.aborted || (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';
    throw isTooMuch ? toTooLargeError() : error;
  }
};

/**
 * Reads the rows of a sheet of a workbook (.xlsx), without empty rows. Unpacks and reads it in a worker of bounded
 * memory, so that a hostile file cannot stop the process.
 * @throws UnreadableFileError
 */
export const readXlsx = async function* (bytes: Uint8Array, options: XlsxOptions = {}): AsyncGenerator<SheetRow> {
  const { packed, unpacked, heapMb, seconds } = { ...LIMITS, ...options.limits };
  if (bytes.length > packed) throw toTooLargeError();
  const work: WorkerInput = { bytes, sheet: options.sheet, most: unpacked };
  const worker = new Worker(WORKER, {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  worker.on('error', () => {}); // the wait for the next message reports the error
  try {
    const begun = await awaitMessage(worker, seconds);
    if ('sheet' in begun) options.onSheet?.(begun.sheet, begun.sheets);
    for (let line = 1; ; ) {
      worker.postMessage('next');
      const said = await awaitMessage(worker, seconds);
      if (!('rows' in said) || said.rows.length === 0) return;
      for (const cells of said.rows) {
        if (cells.some((cell) => cell !== null)) yield { line, cells: cells.map((cell) => cell ?? '') };
        line++;
      }
    }
  } finally {
    await worker.terminate();
  }
};
