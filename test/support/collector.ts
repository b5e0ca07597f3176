import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP/JSON encodes it. */
export interface ReceivedSpan {
  readonly scope: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface OtlpSpan extends Omit<ReceivedSpan, 'attributes' | 'scope'> {
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number | string } }[];
}
interface OtlpRequest {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly OtlpSpan[] }[];
  }[];
}

const readSpans = (body: OtlpRequest): ReceivedSpan[] =>
  (body.resourceSpans ?? []).flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(({ attributes, ...span }) => ({
        ...span,
        scope: scope.name,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
        ),
      })),
    ),
  );

/** A trace collector on loopback that takes OTLP over HTTP as JSON. */
export const startCollector = async () => {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (req.url === '/v1/traces') spans.push(...readSpans(JSON.parse(Buffer.concat(chunks).toString())));
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: spans as readonly ReceivedSpan[],
    close: (): void => {
      server.close();
      server.closeAllConnections();
    },
  };
};
