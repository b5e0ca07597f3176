import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { succeeded } from './filled-service.ts';
import { type HttpResponse, type SendOptions, send } from './http.ts';
import type { Service } from './process.ts';

/** Sends a request below the address of the enterprise contract, with a key of one organisation. */
export type AsCustomer = (path: string, asked?: SendOptions) => Promise<HttpResponse>;

/** Gives an organisation access by the command line, and returns one of its keys. */
export const grantCustomerKey = async (service: Service, id: string, plan: string): Promise<string> => {
  const terms = ['--name', id, '--plan', plan, '--accepted-by', 'a test'];
  succeeded(await service.cli('enterprise', 'grant', id, ...terms));
  return succeeded(await service.cli('enterprise', 'issue-key', id, '--quiet')).trim();
};

/** Gives an organisation access by the command line, and returns a function that sends requests with its key. */
export const grantCustomer = async (service: Service, id: string, plan: string): Promise<AsCustomer> => {
  const token = await grantCustomerKey(service, id, plan);
  return (path, asked) => send(`${service.origin}${ENTERPRISE_BASE_PATH}${path}`, { token, ...asked });
};
