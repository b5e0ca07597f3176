import { describe, expect, test } from 'vitest';
import { readBounce } from './dsn.ts';

const lines = (...all: string[]): Uint8Array => Buffer.from(all.join('\r\n'));

const report = (
  { type = 'text/rfc822-headers', action = 'failed', status = '5.1.1' } = {},
  original = ['From: mail@ratings.example', 'Message-ID: <n_5f@ratings.example>', 'Subject: Hello'],
): Uint8Array =>
  lines(
    'From: MAILER-DAEMON@mail.example',
    'To: mail@ratings.example',
    'Subject: Undelivered',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I could not deliver <n_other@ratings.example>.',
    '',
    '--b1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.example',
    '',
    'Final-Recipient: rfc822; alice@mail.example',
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1 <alice@mail.example>:',
    '    no such user',
    '',
    '--b1',
    `Content-Type: ${type}`,
    '',
    ...original,
    '',
    'The body, with Message-ID: <n_body@ratings.example>',
    '--b1--',
    '',
  );

describe('a report of a mail server', () => {
  test.each(['text/rfc822-headers', 'message/rfc822'])('a report is about the mail in its part %s', async (type) => {
    expect(await readBounce(report({ type }))).toEqual({
      messageId: 'n_5f@ratings.example',
      recipients: [
        { action: 'failed', status: '5.1.1', diagnostic: 'smtp; 550 5.1.1 <alice@mail.example>: no such user' },
      ],
    });
  });

  test('a report can say that the mail takes longer', async () => {
    const found = await readBounce(report({ action: 'Delayed', status: '4.4.1 (later)' }));
    expect(found?.recipients).toMatchObject([{ action: 'delayed', status: '4.4.1' }]);
  });

  test('a report that does not say what it is about is none', async () => {
    expect(await readBounce(report({}, ['Subject: Hello']))).toBeUndefined();
  });

  test.each([
    [lines('Subject: Out of office', '', 'I am away. Message-ID: <n_5f@ratings.example>')],
    [lines('')],
    [Buffer.from([0, 255, 13, 10, 13, 10, 254])],
  ])('any other mail is none', async (mail) => {
    expect(await readBounce(mail)).toBeUndefined();
  });
});
