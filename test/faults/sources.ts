/** Finds the process that opened a connection on loopback, so that a link can break for that process alone. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import type { FindSource } from './link.ts';

/** 127.0.0.1 as the kernel's table shows it. */
const LOOPBACK = process.platform === 'linux' ? '0100007F' : '';

const endpoint = (port: number): string => `${LOOPBACK}:${port.toString(16).toUpperCase().padStart(4, '0')}`;

/** Inode of the socket that connects two ports. */
const findInode = async (fromPort: number, toPort: number): Promise<string | undefined> => {
  const wanted = [endpoint(fromPort), endpoint(toPort)];
  for (const line of (await readFile('/proc/net/tcp', 'utf8')).split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (fields[1] === wanted[0] && fields[2] === wanted[1]) return fields[9];
  }
  return undefined;
};

const hasSocket = async (pid: number, inode: string): Promise<boolean> => {
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch(() => []);
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(() => '')));
  return targets.includes(`socket:[${inode}]`);
};

/** Returns the name of the process that opened a connection, or `outside` if it is none of them. */
export const createSourceFinder =
  (pids: () => ReadonlyMap<string, number>): FindSource =>
  async ({ fromPort, toPort }) => {
    const inode = await findInode(fromPort, toPort);
    if (inode === undefined) return OUTSIDE;
    for (const [name, pid] of pids()) if (await hasSocket(pid, inode)) return name;
    return OUTSIDE;
  };

/** Every process that is no member, which means the service. */
export const OUTSIDE = 'outside';
