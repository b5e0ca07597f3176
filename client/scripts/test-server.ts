import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** A request that the server received. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends an answer as JSON. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Answers a request in place of the service. */
export type Answerer = (response: ServerResponse, request: RecordedRequest) => unknown;

/** Starts a real HTTP server for one test. It records requests and answers them with `answer`. */
export const serve = async (answer: Answerer = (response) => sendJson(response, 200, { data: [] })) => {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const recorded = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(recorded);
    await answer(response, recorded);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/api/v1`, requests, server };
};

/** Returns the error of a call that has to fail. */
export const catchError = (call: PromiseLike<unknown>): Promise<Error> =>
  Promise.resolve(call).then(
    () => expect.unreachable(),
    (error) => error,
  );
