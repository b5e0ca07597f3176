/** A server before a service: it takes results as the service level's intake does, and forwards everything else. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { canonicalJson, parseVerifierKey } from '@broker-transparency/log';
import { forwardRequest } from '../support/forward.ts';

/** Takes a request; returns whether it answered. */
type FrontBehaviour = (req: IncomingMessage, res: ServerResponse) => boolean;

export interface Front {
  readonly origin: string;
  /** The delivered lines of a day. */
  readonly lines: (date: string) => readonly string[];
  /** Forgets all lines of a day behind so many. */
  readonly forget: (date: string, behind: number) => void;
  /** Makes the prober known or unknown. */
  readonly register: (is: boolean) => void;
  /** Sets the target of everything else; undefined: connections are cut. */
  readonly lead: (target: string | undefined) => void;
  /** Answers before all else. */
  readonly behave: (behaviour?: FrontBehaviour) => void;
  readonly close: () => Promise<void>;
}

const DELIVERY = /^\/transparency\/v1\/service-level\/results\/([a-z0-9.-]+)\/(\d{4}-\d\d-\d\d)$/;

const hashLine = (line: string): string => {
  const { signature: _, ...said } = JSON.parse(line);
  return createHash('sha256').update(canonicalJson(said)).digest('base64');
};

/** Returns true if a key signed a line. Uses Node alone. */
export const isSignedBy = (verifierKey: string, line: string): boolean => {
  const { signature, ...said } = JSON.parse(line);
  const x = Buffer.from(parseVerifierKey(verifierKey).publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(canonicalJson(said)), key, Buffer.from(signature, 'base64'));
};

const sendJson = (res: ServerResponse, status: number, value: object): void => {
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
};

export const startFront = async (verifierKey: string): Promise<Front> => {
  const days = new Map<string, string[]>();
  let target: string | undefined;
  let behaviour: FrontBehaviour = () => false;
  let isRegistered = true;

  const receiveLines = async (req: IncomingMessage, res: ServerResponse, date: string): Promise<void> => {
    const sent = (await text(req)).split('\n').slice(0, -1);
    const has = days.get(date) ?? [];
    const state = () => ({ lines: has.length, head: has.length === 0 ? null : hashLine(has.at(-1) as string) });
    let at = has.indexOf(sent[0] as string);
    if (at < 0) at = has.length;
    for (const line of sent) {
      const before = at === 0 ? null : hashLine(has[at - 1] as string);
      if (JSON.parse(line).previous !== before) return sendJson(res, 409, { code: 'results_conflict', ...state() });
      has[at++] = line;
    }
    if (!isSignedBy(verifierKey, sent.at(-1) as string)) return sendJson(res, 422, { code: 'wrong_signature' });
    days.set(date, has);
    sendJson(res, 200, state());
  };

  const server = createServer((req, res) => {
    if (behaviour(req, res)) return;
    const [, , date] = DELIVERY.exec(req.url ?? '') ?? [];
    if (target === undefined) req.socket.destroy();
    else if (date !== undefined && req.method === 'POST') void receiveLines(req, res, date);
    else if (date !== undefined && isRegistered) res.end((days.get(date) ?? []).map((line) => `${line}\n`).join(''));
    else if (date !== undefined) sendJson(res, 404, { code: 'not_found' });
    else forwardRequest(req, res, target);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines: (date) => days.get(date) ?? [],
    forget: (date, behind) => void days.get(date)?.splice(behind),
    register: (is) => {
      isRegistered = is;
    },
    lead: (to) => {
      target = to;
    },
    behave: (as = () => false) => {
      behaviour = as;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
