/**
 * Keeps a replica until it is killed: `replica-process.ts ORIGIN KEY FOLDER POLICY`. Prints where it is after each
 * page.
 */
import { createClient } from '@broker-transparency/client';
import { enterprise, fileReplica, replica } from '@broker-transparency/client/enterprise';

const [origin = '', key = '', folder = '', policy = ''] = process.argv.slice(2);
const client = createClient({ baseUrl: `${origin}/api/v1`, tryTimeoutMs: 5000, with: [enterprise({ key })] });
const store = fileReplica(folder);
for await (const { applied, signed } of replica({ client, store, policy, wait: 2, limit: 50 }))
  console.log(JSON.stringify([applied, signed]));
