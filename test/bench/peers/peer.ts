import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReadyAnswer {
  readonly contentType: string;
  readonly body: Buffer<ArrayBuffer>;
}

/** Says where it listens, in the words of the service. */
export const announce = (server: Server): void => {
  server.keepAliveTimeout = 10_000; // as the service has it
  process.stdout.write(`  API        http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1\n`);
};

/** Takes the answer that is to be ready, whenever there is a new one. */
export const onAnswer = (take: (answer: ReadyAnswer) => void): void => {
  process.on('message', (answer: ReadyAnswer) => {
    take(answer);
    process.send?.('taken');
  });
};
