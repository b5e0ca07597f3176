import { createClient } from '@broker-transparency/client';
import { createTestServer } from '@broker-transparency/client/testing';
import { verifier } from '@broker-transparency/client/verify';
const server = createTestServer({ fixtures: { brokers: [{ slug: 'alpha-markets' }, {slug:'beta', reviews: 40, complaints: { overdue: 3 }, warnings: [{ title: 'Not authorised' }]}] } });
const verify = verifier(server.policy);
const client = createClient({ baseUrl: server.baseUrl, fetch: server.fetch, verify });
for (const s of ['alpha-markets','beta']) try {
const b = await client.brokers.get(s);
console.log(verify.readProof(b));
} catch (e: any) { console.log(e.name, e.message); for (const d of e.differences ?? []) console.log(JSON.stringify(d).slice(0, 300)); if (e.cause) console.log(e.cause) }
const r = await client.reviews.list({broker:'beta', limit: 2}).catch(e=>e);
console.log(r.data ? verify.readProof(r.data[0]) : r);
