import { createClient } from '@broker-transparency/client';
import { Router } from 'express';

/**
 * Keeps the token on the server; all visitors share its budget, and unchanged answers are asked for by their version.
 */
const client = createClient({
  baseUrl: 'https://brokers.example/api/v1',
  token: process.env['BROKER_TOKEN'],
  timeoutMs: 5_000,
});

export const brokers = Router();

brokers.get('/brokers/:slug', async (req, res) => {
  const gone = new AbortController();
  res.on('close', () => gone.abort()); // who leaves costs no more tries
  const { data, error } = await client.safe.brokers.get(req.params.slug, { signal: gone.signal });
  if (error === undefined) res.set('Cache-Control', 'public, max-age=30').json(data);
  else if (error.code === 'broker_not_found') res.status(404).json({ code: error.code });
  else {
    const seconds = ('retryAfter' in error && error.retryAfter) || 5;
    res.status(503).set('Retry-After', String(seconds)).json({ code: 'unavailable', requestId: error.requestId });
  }
});
