import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The purpose for which a process opened its embedded database. */
export type DatabaseUse = 'serve' | 'command';

/** The address of the embedded database of a data directory, for commands that run beside its owner. */
export interface DatabaseAddress {
  url: string;
  mongodPid: number;
  ownerPid: number;
  use: DatabaseUse;
  startedAt: string;
}

const fileIn = (dataDir: string) => join(dataDir, 'mongod.json');
const portFileIn = (dataDir: string) => join(dataDir, 'mongod.port');

/** Returns undefined if the file does not exist or cannot be parsed. */
export async function readAddress(dataDir: string): Promise<DatabaseAddress | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

export const writeAddress = (dataDir: string, address: DatabaseAddress) =>
  replaceFile(fileIn(dataDir), `${JSON.stringify(address)}\n`);

export const removeAddress = (dataDir: string) => rm(fileIn(dataDir), { force: true });

/**
 * Returns the port of the last run, or undefined if there is none. The port outlives the process, because the
 * configuration of the replica set contains it.
 */
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
