import { mailTemplates } from '../../assets.ts';
import { registerMailMetrics } from '../../features/notices/metrics.ts';
import { startOutbox } from '../../features/notices/outbox.ts';
import { AT_ONCE } from '../../features/notices/policy.rule.ts';
import { createSystemNotifier } from '../../features/notices/send-webhook.ts';
import type { Db } from '../../platform/mongo.ts';
import { createPool, type Pool } from '../../platform/outbound/pool.ts';
import { createDeliver } from '../../platform/webhooks/deliver.ts';
import type { Config } from '../config.ts';
import type { CleanupStack } from './closers.ts';
import type { ProcessParts, Settle } from './parts.ts';

/** Time in milliseconds for mails that are being sent when the process ends. */
const PATIENT_MS = 5000;

/** Opens the notifier of the operator's own systems: by https anywhere, by http only in their networks. */
const openSystemNotifier = (db: Db, networks: readonly string[], { clock, closers }: ProcessParts) => {
  const inside = { allowLoopback: false, networks };
  const pools = {
    'https:': createPool({ ...inside, httpsOnly: true }),
    'http:': createPool({ ...inside, onlyNetworks: true }),
  } as const;
  for (const pool of Object.values(pools)) closers.add(pool.close);
  const post: Pool['post'] = (address, ...rest) =>
    pools[new URL(address).protocol === 'http:' ? 'http:' : 'https:'].post(address, ...rest);
  return createSystemNotifier(db, createDeliver({ clock, pool: { post }, keys: [] }));
};

/** Opens the mailer; undefined without SMTP_URL. */
const openMailer = async ({ mail, operatorMail }: Config, closers: CleanupStack) => {
  if (mail === undefined) return undefined;
  const { createMailer } = await import('../../platform/mail/smtp.ts'); // without mail its library is not needed
  const mailer = createMailer(mail, AT_ONCE);
  closers.add(mailer.close);
  return { mailer, operator: operatorMail, message: { ...mail, templates: mailTemplates } };
};

/** Starts to send mail and webhooks to the operator, in processes that take jobs. */
export const startMail = async (db: Db, config: Config, parts: ProcessParts): Promise<Settle> => {
  const { clock, log, closers, metrics, counts } = parts;
  registerMailMetrics(db, metrics, clock);
  const tellSystem = openSystemNotifier(db, config.noticeWebhookNetworks, parts);
  const mail = await openMailer(config, closers);
  const outbox = startOutbox(db, { clock, log, mail, tellSystem, countTry: counts.mailTry });
  closers.add(outbox.stop, PATIENT_MS);
  return outbox.settle;
};
