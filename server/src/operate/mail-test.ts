import { randomBytes } from 'node:crypto';
import { addressIn } from '../features/notices/address.rule.ts';
import { createMailer, type MailOutcome, type MailSettings } from '../platform/mail/smtp.ts';

/** Time in milliseconds for a test mail. */
const TEST_MS = 30_000;

/** Sends a mail that says nothing, with the settings of the service. */
export const sendTest = async (settings: MailSettings, to: string): Promise<MailOutcome> => {
  const mailer = createMailer(settings, 1);
  try {
    return await mailer.send(
      {
        to: [to],
        subject: 'Test',
        text: 'This mail tests the settings of the broker transparency service.\n',
        messageId: `test_${randomBytes(12).toString('hex')}@${addressIn(settings.from)?.split('@').at(-1)}`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      },
      TEST_MS,
    );
  } finally {
    await mailer.close();
  }
};
