import { type EnterpriseMeta, PLANS } from '@broker-transparency/contract/enterprise';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Guard } from '../../http/endpoints/api.ts';
import type { AppRoute } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { withDeadline } from '../../http/request/deadline.ts';
import { createPace } from '../../http/response/pace.ts';
import { onClosed, sendFile } from '../../http/response/reply.ts';
import { requireCustomer } from '../access/customer.ts';
import { getDiskName, getSnapshotFolder, type StoredFile } from './folder.ts';
import { requireSnapshot } from './routes.ts';

/** Maximum concurrent downloads of one organisation, and of all, in one process. */
const [MOST_OWN, MOST] = [4, 32];
/** Maximum bytes per second that one process sends, for all downloads together. */
const BYTES_PER_SECOND = 8 * 2 ** 20;

const PATH = '/snapshots/:number/files/:name';

/** The route of files, for the guard. It is in no contract of ts-rest: its answers are no JSON. */
const ROUTE = {
  method: 'GET',
  path: PATH,
  responses: {},
  metadata: {
    access: { scope: 'snapshots:read', kyc: false },
    limit: 'enterprise',
    cache: 'none',
    answers: 'files',
  } satisfies EnterpriseMeta,
} satisfies AppRoute;

const TYPES: Readonly<Record<string, string>> = { gzip: 'application/gzip', zstd: 'application/zstd' };

/** @throws ProblemError insufficient_scope */
const requireTexts = (req: Request, { content }: StoredFile): void => {
  const { scopes, plan } = requireCustomer(req);
  if (content !== 'texts' || scopes.includes('texts:read')) return;
  const why = PLANS[plan].scopes.includes('texts:read') ? 'this key does not have it' : `the plan "${plan}" does not`;
  throw new ProblemError('insufficient_scope', `Files with texts need the scope "texts:read", and ${why}.`, {
    headers: { 'WWW-Authenticate': 'Bearer realm="enterprise", error="insufficient_scope", scope="texts:read"' },
  });
};

const noFile = (number: string, name: string): ProblemError =>
  new ProblemError('not_found', `Snapshot ${number} has no file ${name}: its manifest lists them.`);

/** Counts downloads. @throws ProblemError rate_limited or unavailable if there are too many */
const createDownloads = () => {
  const own = new Map<string, number>();
  let all = 0;
  return (organisation: string): (() => void) => {
    const count = own.get(organisation) ?? 0;
    if (count >= MOST_OWN)
      throw new ProblemError('rate_limited', `Your organisation may download ${MOST_OWN} files at a time.`, {
        headers: { 'Retry-After': '5' },
      });
    if (all >= MOST)
      throw new ProblemError('unavailable', 'Too many files are being downloaded now.', {
        headers: { 'Retry-After': '10' },
      });
    own.set(organisation, count + 1);
    all++;
    return () => {
      all--;
      const left = (own.get(organisation) ?? 0) - 1;
      if (left > 0) own.set(organisation, left);
      else own.delete(organisation);
    };
  };
};

/**
 * Sends a file. A file of texts gets another name when texts are removed: a caller at that moment has to ask again.
 */
const sendFound = (res: Response, file: Parameters<typeof sendFile>[1]): Promise<void> =>
  sendFile(res, file).catch((error: unknown) => {
    if ((error as { readonly status?: number }).status !== 404) throw error;
    throw new ProblemError('unavailable', 'The file was just rewritten. Read the manifest again.', {
      headers: { 'Retry-After': '1' },
      cause: error,
    });
  });

/** The files of snapshots: as they are stored, with ranges and without any other negotiation. */
export const snapshotFileRoute = (basePath: string, guard: Guard, dataDir: string): RequestHandler => {
  const begin = createDownloads();
  const pace = createPace(BYTES_PER_SECOND);
  const answer = async (req: Request, res: Response): Promise<void> => {
    const { number = '', name = '' } = req.params as Record<string, string>;
    if (!/^\d{1,9}$/.test(number)) throw noFile(number, name);
    const { files } = await requireSnapshot(dataDir, Number(number));
    const file = files.find((each) => each.name === name);
    if (!file) throw noFile(number, name);
    requireTexts(req, file);
    const { context } = req;
    const end = begin(requireCustomer(req).organisation);
    const headAt = performance.now();
    onClosed(res, () => {
      end();
      context.waitedMs = performance.now() - headAt; // the caller determines the duration of a download
    });
    context.place?.giveUp();
    context.deadline?.pause();
    await sendFound(res, {
      folder: getSnapshotFolder(dataDir, Number(number)),
      name: getDiskName(file),
      pace,
      headers: {
        'Content-Type': TYPES[file.compression] as string,
        'Content-Disposition': `attachment; filename="${file.name}"`,
        'Cache-Control': 'private, no-cache',
        ETag: `"${file.sha256}"`,
      },
    });
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.use(PATH, (req, _res, next) => {
    req.context.basePath = basePath;
    next();
  });
  router.get(PATH, guard(ROUTE), (req, res, next) => {
    answer(req, res).catch(next);
  });
  return withDeadline(router);
};
