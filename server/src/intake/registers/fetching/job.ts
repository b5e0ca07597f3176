import type { ServiceJob } from '../../../ledger/define-module.ts';
import { fetchDue, readConfiguredLists, toFetchContext } from './lists.ts';

/** Fetches the registers and lists that are due. */
export const fetchConfiguredLists: ServiceJob['run'] = async (context, { signal }, settings) => {
  if (settings.registers === undefined) return;
  await fetchDue(context, await readConfiguredLists(settings.registers), toFetchContext(settings, signal));
};
