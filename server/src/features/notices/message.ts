import { hostname } from 'node:os';
import type { Mail } from '../../platform/mail/smtp.ts';
import type { Db } from '../../platform/mongo.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { addressIn } from './address.rule.ts';
import { composeMessage } from './compose.rule.ts';
import { NOTICES } from './kinds.rule.ts';
import type { NoticeLanguage } from './languages.rule.ts';
import type { Notice, NoticeAddress } from './store.ts';
import { readTexts } from './templates.ts';

/** The parts with which messages are composed. */
export interface MessageSettings {
  readonly from: string;
  /** Where the service is reached. */
  readonly publicUrl: string;
  /** Where people see what a message is about, with `{about}` and `{reference}`; the API, if absent. */
  readonly link?: string | undefined;
  /** The language of those of whom none is known. */
  readonly language: NoticeLanguage;
  /** The folder of templates. */
  readonly templates: URL;
}

/** Where the API shows people what they sent. */
const OWN_LISTS = { review: 'reviews', report: 'reports', complaint: 'complaints' } as const;

interface MessageTopic {
  readonly notice: Notice;
  readonly slug: string | undefined;
}

const buildLink = (
  { publicUrl, link }: MessageSettings,
  { notice: { kind, data }, slug }: MessageTopic,
): string | undefined => {
  const { about, to } = NOTICES[kind];
  if (about === null) return undefined;
  const reference = about === 'broker' ? slug : String(data['reference']);
  if (link !== undefined && reference !== undefined)
    return link.replaceAll('{about}', about).replaceAll('{reference}', encodeURIComponent(reference));
  if (about === 'broker') return slug && `${publicUrl}/api/v1/brokers/${slug}`;
  return to === 'person' ? `${publicUrl}/account/v1/${OWN_LISTS[about]}` : undefined;
};

/** Returns the id that a message has in mail. */
const toMessageId = (id: string, from: string): string => `${id}@${addressIn(from)?.split('@').at(-1) ?? hostname()}`;

/** The header of every mail that machines must not answer (RFC 3834). */
const OF_A_MACHINE = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** How mail is stopped with one click (RFC 8058). */
const toUnsubscribeHeaders = (stop: string | undefined): Readonly<Record<string, string>> =>
  stop === undefined ? {} : { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Makes the mail of a message, with the current name of its broker. */
export const buildMail = async (
  db: Db,
  settings: MessageSettings,
  notice: Notice,
  to: readonly string[],
  address: NoticeAddress | undefined,
): Promise<Mail> => {
  const { kind, data } = notice;
  const key = typeof data['broker'] === 'string' ? data['broker'] : undefined;
  const broker = key === undefined ? undefined : (await resolveSlugs(db, [key]))(key);
  const isPerson = NOTICES[kind].to === 'person' && !NOTICES[kind].confirms;
  const stop = isPerson && address?.stopToken ? `${settings.publicUrl}/mail/stop/${address.stopToken}` : undefined;
  const language = address?.language ?? notice.language ?? settings.language;
  const link = buildLink(settings, { notice, slug: broker?.slug });
  const { subject, text } = composeMessage(readTexts(settings.templates, kind, language), {
    language,
    data,
    broker: broker?.name ?? key,
    link,
    stop,
  });
  return {
    to,
    subject,
    text,
    messageId: toMessageId(notice._id, settings.from),
    headers: { ...OF_A_MACHINE, 'Content-Language': language, ...toUnsubscribeHeaders(stop) },
  };
};
