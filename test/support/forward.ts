import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';

interface ForwardOptions {
  /** Headers in place of those of the request. */
  readonly headers?: IncomingHttpHeaders;
  /** Sends the body of the answer, whose status and headers are sent; by default as it comes. */
  readonly sendBody?: (answer: IncomingMessage, res: ServerResponse) => void;
}

/** Forwards a request once. A failure of either side cuts the connection. */
export const forwardRequest = (
  req: IncomingMessage,
  res: ServerResponse,
  target: string,
  { headers = req.headers, sendBody = (answer) => answer.pipe(res) }: ForwardOptions = {},
): void => {
  const onward = request(`${target}${req.url}`, { method: req.method as string, headers });
  onward.on('error', () => res.destroy());
  onward.on('response', (answer) => {
    answer.on('error', () => res.destroy());
    res.writeHead(answer.statusCode as number, answer.headers);
    sendBody(answer, res);
  });
  req.pipe(onward);
};
