import type { RequestHandler, Router } from 'express';
import { ALONE } from '../../platform/page-alone.ts';
import { addressKey, enforceLimit, type Limit } from '../rate-limit/limit.ts';
import { sendEncoded } from '../response/reply.ts';
import { createBodyEncoder } from './files.ts';
import { readOnly } from './read-only.ts';

/** A file that is regenerated from time to time. */
export interface MadeFile {
  readonly contentType: string;
  /** Its `Content-Security-Policy`, if it needs more than the strictest one. */
  readonly policy?: string;
  /** Returns the current text. */
  readonly make: () => Promise<string>;
}

/** Time in seconds for which caches keep the file. */
const FRESH_SECONDS = 30;

/** Returns the routes of files, which share a budget. */
export const madeFileRoutes = (files: Readonly<Record<string, MadeFile>>, limit: Limit): Router => {
  const answer = ({ contentType, policy, make }: MadeFile): RequestHandler => {
    let last: { readonly text: string; readonly bodyFor: ReturnType<typeof createBodyEncoder> } | undefined;
    return async (req, res) => {
      await enforceLimit(limit, addressKey(req), req);
      const text = await make();
      if (last?.text !== text)
        last = { text, bodyFor: createBodyEncoder({ make: () => Buffer.from(text), type: contentType }) };
      const { bodyFor } = last;
      const headers = {
        'Cache-Control': `public, max-age=${FRESH_SECONDS}`,
        ...(policy === undefined ? {} : { 'Content-Security-Policy': `${policy}; frame-ancestors 'none'`, ...ALONE }),
      };
      sendEncoded(res, { status: 200, headers, body: await bodyFor(req.headers) });
    };
  };
  return readOnly(Object.fromEntries(Object.entries(files).map(([path, file]) => [path, answer(file)])));
};
