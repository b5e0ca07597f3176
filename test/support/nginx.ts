import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { debianProgram } from './debian.ts';
import type { Scratch } from './files.ts';
import { type GuardedProcess, startGuarded } from './guarded.ts';

export interface Nginx extends GuardedProcess {
  readonly port: number;
  readonly plainPort: number;
}

const execute = promisify(execFile);

const certificate = async ({ path }: Scratch): Promise<void> => {
  const files = ['-keyout', `${path}/privkey.pem`, '-out', `${path}/fullchain.pem`];
  const kind = ['-x509', '-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2'];
  await execute('openssl', ['req', ...kind, '-subj', '/CN=ratings.example', ...files]);
};

/** The configuration outside the site file, which differs from machine to machine. */
const around = (path: string, site: string): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${path}/nginx.pid;
error_log stderr notice;
events { worker_connections 512; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${path}/${kind};`).join(' ')}
  include ${site};
}
`;

/**
 * Starts nginx with the documented example, on free ports and with its own certificate.
 * @throws Error where the example lacks a line that has to change
 */
export const startNginx = async (upstream: string, scratch: Scratch): Promise<Nginx> => {
  const [port, plainPort] = [await freePort(), await freePort()];
  let site = await readFile(new URL('../../ops/deploy/nginx/broker-rating.conf', import.meta.url), 'utf8');
  const change = (from: string, to: string): void => {
    if (!site.includes(from)) throw new Error(`not in the example: ${from}`);
    site = site.replaceAll(from, to);
  };
  // Before the ports: 127.0.0.1:3000 is the beginning of 127.0.0.1:30001.
  change('127.0.0.1:3000', upstream);
  change('    listen [::]:80 default_server;\n', '');
  change('    listen [::]:443 ssl;\n', '');
  change('listen 80 default_server', `listen 127.0.0.1:${plainPort} default_server`);
  change('listen 443 ssl', `listen 127.0.0.1:${port} ssl`);
  change('/etc/ssl/ratings.example', scratch.path);
  change('/var/log/nginx', scratch.path);
  await certificate(scratch);
  const config = await scratch.write('nginx.conf', around(scratch.path, await scratch.write('site.conf', site)));
  const binary = await debianProgram({
    name: 'nginx',
    packages: ['nginx'],
    path: 'usr/sbin/nginx',
    variable: 'NGINX_BINARY',
  });
  const command = [binary, '-p', scratch.path, '-c', config, '-e', 'stderr'];
  return { ...(await startGuarded(command, 'start worker process ')), port, plainPort };
};
