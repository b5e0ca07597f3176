/** A mail server by smtp-server, and a reader of mail of its own: no code of the product takes part. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A mail as it came. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly from: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly subject: string;
  readonly text: string;
  readonly raw: string;
}

/** A reply that refuses, such as 550. */
interface MailRefusal {
  readonly code: number;
  readonly reply: string;
}

/** The server's behaviour at each step. Undefined means success. */
interface MailBehaviour {
  readonly recipient?: (address: string) => MailRefusal | undefined;
  /** Called with a whole mail before it is answered. */
  readonly mail?: (mail: ReceivedMail) => Promise<MailRefusal | undefined> | MailRefusal | undefined;
}

export interface MailServer {
  readonly url: string;
  /** Every mail that was taken, in order. */
  readonly received: ReceivedMail[];
  readonly to: (address: string) => ReceivedMail[];
  readonly behave: (behaviour?: MailBehaviour) => void;
  readonly close: () => Promise<void>;
}

const unescapeBytes = (escaped: string): Buffer =>
  Buffer.from(
    escaped.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/** RFC 2047. */
const decodeWords = (value: string): string =>
  value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : unescapeBytes(word.replaceAll('_', ' '))).toString(
        'utf8',
      ),
    );

const decodeBody = (body: string, encoding: string | undefined): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? unescapeBytes(body.replaceAll(/=\r\n/g, '')).toString('utf8') : body;
};

/** Reads a mail of one part. */
const readMail = (raw: string, to: readonly string[] = [], from = ''): ReceivedMail => {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = decodeBody(rest.join('\r\n\r\n'), headers.get('content-transfer-encoding'));
  return {
    to,
    from,
    headers,
    subject: decodeWords(headers.get('subject') ?? ''),
    text: body.replaceAll('\r\n', '\n'),
    raw,
  };
};

const createRefusal = ({ code, reply }: MailRefusal): Error => Object.assign(new Error(reply), { responseCode: code });

export const startMailServer = async (): Promise<MailServer> => {
  const received: ReceivedMail[] = [];
  let behaviour: MailBehaviour = {};
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, callback) => {
      const refusal = behaviour.recipient?.(address);
      callback(refusal && createRefusal(refusal));
    },
    onData: (stream, { envelope }, callback) => {
      void (async () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const mail = readMail(
          await text(stream),
          envelope.rcptTo.map(({ address }) => address),
          from,
        );
        const refusal = await behaviour.mail?.(mail);
        if (refusal) return callback(createRefusal(refusal));
        received.push(mail);
        callback(null);
      })();
    },
  });
  server.on('error', () => {}); // a caller that is killed breaks its connection off
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    to: (address) => received.filter(({ to }) => to.includes(address)),
    behave: (as = {}) => {
      behaviour = as;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
