import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a process has its embedded database for. */
export type Use = 'serve' | 'command';

/** Where the embedded database of a data directory answers, for commands that run beside its owner. */
export interface Address {
  url: string;
  mongodPid: number;
  ownerPid: number;
  use: Use;
  startedAt: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'mongod.json');
const portFileIn = (dataDir: string) => join(dataDir, 'mongod.port');

/** Undefined where there is none, or none that can be read. */
export async function readAddress(dataDir: string): Promise<Address | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

export const writeAddress = (dataDir: string, address: Address) =>
  replaceFile(fileIn(dataDir), `${JSON.stringify(address)}\n`);

export const removeAddress = (dataDir: string) => rm(fileIn(dataDir), { force: true });

/** The port outlives the process: the replica set's configuration holds it too. */
export async function readPort(dataDir: string) {
  const port = Number(await readFile(portFileIn(dataDir), 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

export const writePort = (dataDir: string, port: number) => replaceFile(portFileIn(dataDir), `${port}\n`);

async function replaceFile(file: string, text: string) {
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}
