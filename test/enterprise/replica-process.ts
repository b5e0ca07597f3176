/**
 * Keeps a replica until it is killed: `replica-process.ts ORIGIN KEY FOLDER POLICY`. Prints where it is after each
 * page.
 */
import { createEnterpriseClient, fileReplica, replica } from '@broker-transparency/client/enterprise';

const [baseUrl = '', key = '', folder = '', policy = ''] = process.argv.slice(2);
const client = createEnterpriseClient({ baseUrl, key, tryTimeoutMs: 5000 });
const store = fileReplica(folder);
for await (const { applied, signed } of replica({ client, store, policy, wait: 2, limit: 50 }))
  console.log(JSON.stringify([applied, signed]));
