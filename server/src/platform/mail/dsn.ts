import PostalMime, { type Attachment } from 'postal-mime';

/** Report of a mail server about one recipient (RFC 3464 §2.3). */
interface RecipientReport {
  readonly action: string;
  /** Status code such as `5.1.1` (RFC 3463). */
  readonly status: string;
  readonly diagnostic: string;
}

/** A report that a mail was not delivered. */
export interface BounceReport {
  /** Message-ID of the mail that bounced, without angle brackets. */
  readonly messageId: string;
  readonly recipients: readonly RecipientReport[];
}

/** Parts that repeat the mail that the report is about, or its headers. */
const ORIGINALS = new Set(['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers']);
const STATUSES = new Set(['message/delivery-status', 'message/global-delivery-status']);

const decodeAttachment = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');

/** Returns the fields of each block. Blank lines separate blocks; a long field continues on the next lines. */
const parseBlocks = (text: string): ReadonlyMap<string, string>[] =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map(
      (block) =>
        new Map(
          block.split('\n').flatMap((line) => {
            const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
            return name === undefined ? [] : [[name.toLowerCase(), (value ?? '').trim()] as const];
          }),
        ),
    );

const parseRecipients = (status: string): RecipientReport[] =>
  parseBlocks(status)
    .filter((fields) => fields.has('final-recipient'))
    .map((fields) => ({
      action: (fields.get('action') ?? '').toLowerCase(),
      status: /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '',
      diagnostic: fields.get('diagnostic-code') ?? '',
    }));

const findMessageId = (original: string): string | undefined => {
  const [headers] = parseBlocks(original);
  return /<([^<>\s]+)>/.exec(headers?.get('message-id') ?? '')?.[1];
};

/** Parses the report of a mail server (RFC 3464). Returns undefined if the mail is no report or names no mail. */
export const readBounce = async (mail: Uint8Array): Promise<BounceReport | undefined> => {
  const { attachments } = await PostalMime.parse(mail, { attachmentEncoding: 'arraybuffer' });
  const status = attachments.find(({ mimeType }) => STATUSES.has(mimeType));
  const original = attachments.find(({ mimeType }) => ORIGINALS.has(mimeType));
  const messageId = original && findMessageId(decodeAttachment(original));
  return status && messageId !== undefined
    ? { messageId, recipients: parseRecipients(decodeAttachment(status)) }
    : undefined;
};
