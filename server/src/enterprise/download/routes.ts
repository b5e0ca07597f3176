import { hash } from 'node:crypto';
import type { RequestHandler, Router } from 'express';
import { readOnly } from '../../http/endpoints/read-only.ts';
import { addressKey, enforceLimit, type Limit } from '../../http/rate-limit/limit.ts';
import { codingFor, encodeBody } from '../../http/response/encoded-body.ts';
import { sendEncoded } from '../../http/response/reply.ts';
import { DOWNLOAD_PAGE, DOWNLOAD_SCRIPT } from './page.ts';

/** Only the script of the page runs, and it talks to this service alone. */
const POLICY =
  `default-src 'none'; script-src 'sha256-${hash('sha256', DOWNLOAD_SCRIPT, 'base64')}'; style-src 'unsafe-inline'; ` +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page by which customers download files without any code. It says nothing that needs a key. */
export const downloadRoutes = (limit: Limit): Router => {
  const plain = Buffer.from(DOWNLOAD_PAGE);
  const answer: RequestHandler = async (req, res) => {
    await enforceLimit(limit, addressKey(req), req);
    const body = await encodeBody(plain, codingFor(req.headers, plain.length), 'text/html; charset=utf-8');
    const headers = { 'Cache-Control': 'public, max-age=300', 'Content-Security-Policy': POLICY };
    sendEncoded(res, { status: 200, headers, body });
  };
  return readOnly({ '/enterprise/download': answer });
};
