import { mailTemplates } from '../../assets.ts';
import { watchMail } from '../../features/notices/metrics.ts';
import { startOutbox } from '../../features/notices/outbox.ts';
import { AT_ONCE } from '../../features/notices/policy.rule.ts';
import { systemClock } from '../../platform/clock.ts';
import { createMailer } from '../../platform/mail/smtp.ts';
import type { Log } from '../../platform/observe/log.ts';
import type { Config } from '../config.ts';
import type { Closers } from './closers.ts';

/** Time in milliseconds for mails that are being sent when the process ends. */
const PATIENT_MS = 5000;

/** Starts to send mail, in processes that take jobs and have SMTP_URL. */
export const startMail = ({ mail, operatorMail }: Config, log: Log, closers: Closers): void => {
  watchMail(systemClock);
  if (mail === undefined) return;
  const mailer = createMailer(mail, AT_ONCE);
  closers.add(mailer.close);
  const message = { ...mail, templates: mailTemplates };
  const outbox = startOutbox({ clock: systemClock, log, mailer, operator: operatorMail, message });
  closers.add(outbox.stop, PATIENT_MS);
};
