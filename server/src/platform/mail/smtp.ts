import nodemailer from 'nodemailer';
import { parseConnection } from './connection.rule.ts';

/** A mail as it is sent: plain text. */
export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Without angle brackets; the same for each attempt. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Outcome of sending a mail. */
export type MailOutcome =
  | { readonly outcome: 'sent'; readonly reply: string }
  /** The server refuses this mail or its recipient for good. */
  | { readonly outcome: 'refused'; readonly code: number; readonly problem: string }
  /** The server asks to try this mail later. */
  | { readonly outcome: 'later'; readonly code: number; readonly problem: string }
  /** No mail can be sent: the server is down, or refuses this service. */
  | { readonly outcome: 'unreachable'; readonly code?: number | undefined; readonly problem: string };

/** The server that takes mail, and the sender. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with user name and password if the server requires them. */
  readonly url: string;
  readonly from: string;
}

/** Commands whose replies are about the mail or its recipient, not about the sender or the connection. */
const ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA']);

/** Time limits of each step in milliseconds. A server may scan a mail before it accepts it. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Returns a reply on one line, without characters that could harm a terminal. */
const toSingleLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim();

/** Maps an error of the library to an outcome. */
export const toMailOutcome = ({ code, command, responseCode, response, message }: SmtpError): MailOutcome => {
  const problem = toSingleLine(response ?? `${message}${code === undefined ? '' : ` (${code})`}`);
  const isAboutMail = ABOUT_THE_MAIL.has(command ?? '') && responseCode !== undefined && responseCode !== 421;
  if (isAboutMail && responseCode >= 500) return { outcome: 'refused', code: responseCode, problem };
  if (isAboutMail && responseCode >= 400) return { outcome: 'later', code: responseCode, problem };
  // an address that cannot be part of a command is invalid
  if (code === 'EENVELOPE' && responseCode === undefined) return { outcome: 'refused', code: 553, problem };
  return { outcome: 'unreachable', code: responseCode, problem };
};

/** Returns a mailer that reuses its connections. */
export const createMailer = ({ url, from }: MailSettings, atOnce: number) => {
  const transport = nodemailer.createTransport({
    ...parseConnection(url),
    ...TIMEOUTS,
    pool: true,
    maxConnections: atOnce,
    maxMessages: 100,
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  return {
    /** Sends a mail. After `timeoutMs` its connection is closed, and the rest of it is not sent. */
    send: async ({ to, subject, text, messageId, headers }: Mail, timeoutMs: number): Promise<MailOutcome> => {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const { response } = await transport.sendMail({
          from,
          to: to.map((address) => ({ name: '', address })),
          subject,
          text,
          messageId: `<${messageId}>`,
          headers: { ...headers },
          dsn: { id: messageId, return: 'headers', notify: ['failure'] },
          signal: timeout,
        });
        return { outcome: 'sent', reply: toSingleLine(response) };
      } catch (error) {
        if (timeout.aborted) return { outcome: 'unreachable', problem: `no answer within ${timeoutMs / 1000} s` };
        return toMailOutcome(error as SmtpError);
      }
    },
    close: async (): Promise<void> => transport.close(),
  };
};
export type Mailer = ReturnType<typeof createMailer>;
