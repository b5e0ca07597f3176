import { createPool } from '../../platform/outbound/pool.ts';
import type { OutboundRules } from '../../platform/outbound/rules.ts';
import { createDeliver } from '../../platform/webhooks/deliver.ts';
import { readWebhookKey } from '../../platform/webhooks/keys.ts';
import type { Config } from '../config.ts';
import type { ProcessParts } from './parts.ts';

/** Allowed destinations of a live service's events. */
const LIVE: OutboundRules = { ports: [443, 8443], httpsOnly: true, allowLoopback: false };
/** Allowed destinations of a sandbox's events, including the customer's own machine. */
const SANDBOX: OutboundRules = { allowLoopback: true };

/** Opens the sender of webhooks. */
export const openWebhooks = async (
  { webhookKeys, webhooksAllowLoopback }: Config,
  { clock, closers }: ProcessParts,
) => {
  const keys = await Promise.all(webhookKeys.map(readWebhookKey));
  const rules = webhooksAllowLoopback ? SANDBOX : LIVE;
  const pool = createPool(rules);
  closers.add(pool.close);
  return { rules, keys, deliver: createDeliver({ clock, pool, keys }) };
};
