import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntryKind } from '@broker-transparency/contract/record';
import { getDiskName, type StoredFile } from './folder.ts';
import { type Compression, createLineWriter, type LineWriter } from './lines.ts';
import { formatTableHead, formatTableLine, type TableEntry } from './table.rule.ts';

/** An entry that goes into a snapshot. */
export interface SnapshotLine extends TableEntry {
  /** Its canonical JSON. */
  readonly text: string;
}

/** Texts of a key that go into a snapshot. */
export interface TextsLine {
  readonly key: string;
  /** Canonical JSON of the key and its texts. */
  readonly text: string;
}

type PartContent = Pick<StoredFile, 'content' | 'format'> & { readonly compressions: readonly Compression[] };

const ENDINGS: Readonly<Record<Compression, string>> = { gzip: 'gz', zstd: 'zst' };

const CONTENTS = {
  entries: { content: 'entries', format: 'ndjson', compressions: ['gzip', 'zstd'] },
  table: { content: 'table', format: 'csv', compressions: ['gzip'] },
  texts: { content: 'texts', format: 'ndjson', compressions: ['gzip'] },
} as const satisfies Record<string, PartContent>;

/** The folder and the maximum length of parts. */
export interface PartsSettings {
  readonly folder: string;
  readonly kind: EntryKind;
  /** Maximum bytes of the lines of a part, unless it has only one. */
  readonly most: number;
}

/** Opens the files of one content, all with the same lines. */
const openFiles = ({ folder, kind }: PartsSettings, { content, format, compressions }: PartContent, part: number) => {
  const number = String(part).padStart(4, '0');
  const outputs = compressions.map((compression) => ({
    name: `${content}-${kind}-${number}.${format}.${ENDINGS[compression]}`,
    compression,
  }));
  const writer: LineWriter = createLineWriter(
    outputs.map(({ name, compression }) => ({ path: join(folder, name), compression })),
  );
  const end = async (lines: number): Promise<StoredFile[]> => {
    const written = await writer.end();
    return outputs.map(({ name, compression }, at) => {
      const { bytes, sha256 } = written[at] as (typeof written)[number];
      return { name, content, format, compression, kind, lines, bytes, sha256 };
    });
  };
  return { write: writer.write, end, abort: writer.abort };
};
type PartFiles = ReturnType<typeof openFiles>;

/** Writes the entries of a kind and their table, in parts with the same entries. */
export const createEntryParts = (settings: PartsSettings) => {
  const { kind, most } = settings;
  const files: StoredFile[] = [];
  let open: { readonly entries: PartFiles; readonly table: PartFiles } | undefined;
  let [part, lines, bytes] = [0, 0, 0];
  const close = async (): Promise<void> => {
    if (!open) return;
    const { entries, table } = open;
    files.push(...(await entries.end(lines)), ...(await table.end(lines)));
    [open, lines, bytes] = [undefined, 0, 0];
  };
  const begin = async () => {
    part++;
    open = { entries: openFiles(settings, CONTENTS.entries, part), table: openFiles(settings, CONTENTS.table, part) };
    await open.table.write(formatTableHead(kind));
    return open;
  };
  return {
    add: async (line: SnapshotLine): Promise<void> => {
      const row = formatTableLine(kind, line);
      const longer = Math.max(Buffer.byteLength(line.text) + 1, Buffer.byteLength(row));
      if (lines > 0 && bytes + longer > most) await close();
      const { entries, table } = open ?? (await begin());
      lines++;
      bytes += longer;
      const [full, fullTable] = [entries.write(`${line.text}\n`), table.write(row)];
      if (full || fullTable) await Promise.all([full, fullTable]);
    },
    end: async (): Promise<StoredFile[]> => {
      await close();
      return files;
    },
    abort: async (): Promise<void> => {
      await Promise.all([open?.entries.abort(), open?.table.abort()]);
    },
  };
};

/** Gives a file of texts the name that it has on disk. */
const renameOnDisk = async (folder: string, file: StoredFile): Promise<StoredFile> => {
  await rename(join(folder, file.name), join(folder, getDiskName(file)));
  return file;
};

/** Writes the texts of a kind in parts. */
export const createTextParts = (settings: PartsSettings) => {
  const { folder, most } = settings;
  const files: StoredFile[] = [];
  let open: PartFiles | undefined;
  let keys: [first: string, last: string] = ['', ''];
  let [part, lines, bytes] = [0, 0, 0];
  const close = async (): Promise<void> => {
    if (!open) return;
    for (const file of await open.end(lines)) files.push(await renameOnDisk(folder, { ...file, keys }));
    [open, lines, bytes] = [undefined, 0, 0];
  };
  return {
    add: async ({ key, text }: TextsLine): Promise<void> => {
      const length = Buffer.byteLength(text) + 1;
      if (lines > 0 && bytes + length > most) await close();
      if (!open) {
        open = openFiles(settings, CONTENTS.texts, ++part);
        keys = [key, key];
      }
      lines++;
      bytes += length;
      keys[1] = key;
      await open.write(`${text}\n`);
    },
    end: async (): Promise<StoredFile[]> => {
      await close();
      return files;
    },
    abort: async (): Promise<void> => open?.abort(),
  };
};

/** Rewrites a file of texts without some of its lines or fields. Returns the new file. */
export const rewriteTexts = async (
  folder: string,
  file: StoredFile,
  each: AsyncIterable<string>,
  rewrittenAt: string,
): Promise<StoredFile> => {
  const writer = createLineWriter([{ path: join(folder, file.name), compression: 'gzip' }]);
  let lines = 0;
  try {
    for await (const line of each) {
      lines++;
      await writer.write(`${line}\n`);
    }
    const [written] = await writer.end();
    if (!written) throw new Error(`${file.name} was not written`);
    return await renameOnDisk(folder, { ...file, ...written, lines, rewrittenAt });
  } catch (error) {
    await writer.abort();
    throw error;
  }
};
