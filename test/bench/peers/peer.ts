import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReadyAnswer {
  readonly contentType: string;
  readonly body: Buffer<ArrayBuffer>;
}

/** Announces the server's address in the service's own format. */
export const announce = (server: Server): void => {
  server.keepAliveTimeout = 10_000; // same as the service
  process.stdout.write(`  API        http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1\n`);
};

/** Calls `take` with each new answer to serve. */
export const onAnswer = (take: (answer: ReadyAnswer) => void): void => {
  process.on('message', (answer: ReadyAnswer) => {
    take(answer);
    process.send?.('taken');
  });
};
