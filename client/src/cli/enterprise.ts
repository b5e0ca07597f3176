import { mkdir, open, rm, stat } from 'node:fs/promises';
import { createClient, type Fetch } from '@broker-transparency/client';
import type {
  EnterpriseClient,
  EnterpriseFiles,
  ReplicaCheck,
  ReplicaState,
} from '@broker-transparency/client/enterprise';
import { VerifyError } from '@broker-transparency/client/verify';
import { UsageError, type Values } from './usage.ts';
import { policyIn, type Sources } from './verify.ts';

/** Environment variable of a customer's key. It is no option, since every process of the machine can see options. */
export const KEY_VARIABLE = 'BROKER_TRANSPARENCY_ENTERPRISE_KEY';

/** The copied data, or why it is not to be trusted. */
export type CopyResult =
  | ({ readonly sound: boolean } & ReplicaState)
  | { readonly sound: false; readonly code: string; readonly message: string };

/** The result of a check of a folder. */
export type FolderCheck = { readonly sound: boolean } & ReplicaCheck;

interface FolderInput extends Sources {
  /** Address of the API. */
  readonly base: string;
  readonly given: string;
  readonly values: Values;
  readonly fetch: Fetch;
  readonly customerKey: string | undefined;
  readonly note: (line: string) => void;
}

const loadLibrary = () => import('@broker-transparency/client/enterprise'); // other commands need none of it

const readFileSize = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Time in milliseconds between two lines that say how far a copy is. */
const PROGRESS_MS = 10_000;

/** A client that keeps what it has read of a file in a folder, and asks only for the rest. */
const cacheDownloads = (client: EnterpriseClient, folder: string): EnterpriseClient => {
  const { files } = client.enterprise;
  const readSnapshotFile: EnterpriseFiles['readSnapshotFile'] = async function* (number, name, options) {
    await mkdir(`${folder}/${number}`, { recursive: true });
    const path = `${folder}/${number}/${name}`;
    const texts = name.startsWith('texts-'); // these can change: what was kept may be erased by now
    if (texts) await rm(path, { force: true });
    const handle = await open(path, 'a+');
    try {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(await readFileSize(path)), { position: 0 });
      if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
      for await (const piece of files.readSnapshotFile(number, name, { ...options, from: bytesRead })) {
        if (!texts) await handle.appendFile(piece);
        yield piece;
      }
    } finally {
      await handle.close();
    }
  };
  return { enterprise: { ...client.enterprise, files: { ...files, readSnapshotFile } } };
};

const requireKey = ({ customerKey }: FolderInput): string => {
  if (customerKey) return customerKey;
  throw new UsageError(`${KEY_VARIABLE} must be your key`);
};

/** Rethrows errors that are not about the data as wrong usage. */
const rethrowAsUsage = (error: unknown): never => {
  if (error instanceof VerifyError) throw new UsageError(error.message);
  throw error;
};

/**
 * Copies everything that is published to a folder, or brings the copy there up to date.
 * @throws UsageError without key or policy
 */
export const getAll = async (asked: FolderInput): Promise<CopyResult> => {
  const { given, values, base, fetch, note } = asked;
  const key = requireKey(asked);
  const policy = await policyIn('enterprise get', values, asked);
  const { enterprise, fileReplica, ProofError, replica } = await loadLibrary();
  const client = createClient({ baseUrl: base, fetch, with: [enterprise({ key })] });
  // reports a wrong address or key at once, since a copy retries other errors for ever
  await client.enterprise.account.get();
  const downloads = `${given}/download`;
  const store = fileReplica(given);
  let state: ReplicaState | undefined;
  let isWrong = false;
  let said = performance.now();
  try {
    for await (state of replica({ client: cacheDownloads(client, downloads), store, policy, wait: 0, limit: 1000 })) {
      if (state.stalled !== undefined) note(`stalled after entry ${state.applied}: ${state.stalled}\n`);
      if (performance.now() - said < PROGRESS_MS) continue;
      said = performance.now();
      note(`${state.applied + 1} of ${state.end + 1} entries\n`);
    }
    const copied = state as ReplicaState;
    return { sound: copied.missingTexts.length === 0, ...copied };
  } catch (error) {
    if (!(error instanceof ProofError)) return rethrowAsUsage(error);
    isWrong = true;
    return { sound: false, code: error.code, message: error.message };
  } finally {
    await store.close();
    // the next call continues an interrupted download; wrong data is not kept
    if (state || isWrong) await rm(downloads, { recursive: true, force: true });
  }
};

/**
 * Checks the copy in a folder, without asking anybody.
 * @throws UsageError if there is none, or no policy
 */
export const checkFolder = async ({ given, values, ...sources }: FolderInput): Promise<FolderCheck> => {
  const policy = await policyIn('enterprise check', values, sources);
  const { checkReplica, fileReplica } = await loadLibrary();
  if ((await readFileSize(`${given}/entries.ndjson`)) === 0) throw new UsageError(`${given} has no copy: get it first`);
  const store = fileReplica(given);
  try {
    const check = await checkReplica(store, policy);
    return { sound: check.findings.length === 0, ...check };
  } catch (error) {
    throw new UsageError((error as Error).message);
  } finally {
    await store.close().catch(() => {});
  }
};
