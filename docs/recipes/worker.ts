import { createClient } from '@broker-transparency/client';

interface Env {
  /** Such as `https://brokers.example/api/v1` */
  readonly BROKER_API: string;
}

/** Cloudflare keeps the answers at its edge, so the client keeps none. */
const createBrokerClient = ({ BROKER_API }: Env) =>
  createClient({ baseUrl: BROKER_API, store: false, fetchOptions: { cf: { cacheEverything: true, cacheTtl: 30 } } });

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const slug = /^\/badge\/([a-z0-9-]+)$/.exec(new URL(request.url).pathname)?.[1];
    if (slug === undefined) return Response.json({ code: 'not_found' }, { status: 404 });
    const { data, error } = await createBrokerClient(env).safe.brokers.get(slug, { timeoutMs: 3_000 });
    if (error !== undefined)
      return Response.json({ code: error.code }, { status: error.code === 'broker_not_found' ? 404 : 503 });
    const { name, color, score } = data;
    return Response.json({ name, color, value: score.value }, { headers: { 'Cache-Control': 'public, max-age=30' } });
  },
};
