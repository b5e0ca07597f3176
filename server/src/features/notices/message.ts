import { hostname } from 'node:os';
import type { Mail } from '../../platform/mail/smtp.ts';
import type { Db } from '../../platform/mongo.ts';
import { resolveSlugs } from '../brokers/facts.ts';
import { addressIn } from './address.rule.ts';
import { composeMessage, type NamedChanges } from './compose.rule.ts';
import { type BrokerChanges, NOTICES } from './kinds.rule.ts';
import { NOTICE_LANGUAGES, type NoticeLanguage } from './languages.rule.ts';
import type { Notice, NoticeAddress } from './store.ts';
import { readTexts } from './templates.ts';

/** The parts with which messages are composed. */
export interface MessageSettings {
  readonly from: string;
  /** Where the service is reached. */
  readonly publicUrl: string;
  /** Where people see what a message is about, with `{about}` and `{reference}`; the site, if absent. */
  readonly link?: string | undefined;
  /** The language of those of whom none is known. */
  readonly language: NoticeLanguage;
  /** The folder of templates. */
  readonly templates: URL;
}

/** Lists of a person's texts on the site. */
const OWN_LISTS = { review: 'reviews', report: 'reports', complaint: 'complaints' } as const;

interface MessageTopic {
  readonly notice: Notice;
  readonly slug: string | undefined;
}

/** Returns the address of a page of the site in a language. */
const buildPageLink = ({ publicUrl }: MessageSettings, language: NoticeLanguage, path: string): string =>
  `${publicUrl}${language === NOTICE_LANGUAGES[0] ? '' : `/${language}`}${path}`;

/** Returns the page that a mail to a follower is about. */
const buildFollowLink = (
  settings: MessageSettings,
  { notice: { kind, data }, slug }: MessageTopic,
  language: NoticeLanguage,
): string | undefined => {
  if (NOTICES[kind].confirms) return buildPageLink(settings, language, `/follow/confirm/${String(data['code'])}`);
  return slug && buildPageLink(settings, language, `/brokers/${slug}`);
};

/**
 * Returns true if a mail has a link to its case. A page of the operator's comes first for those who have an account.
 */
const leadsToCase = ({ link }: MessageSettings, { notice }: MessageTopic): boolean =>
  NOTICES[notice.kind].to === 'person' &&
  NOTICES[notice.kind].about !== null &&
  typeof notice.data['code'] === 'string' &&
  (link === undefined || notice.accountId === undefined);

const buildLink = (settings: MessageSettings, topic: MessageTopic, language: NoticeLanguage): string | undefined => {
  const { publicUrl, link } = settings;
  const {
    notice: { kind, data },
    slug,
  } = topic;
  const { about, to } = NOTICES[kind];
  if (to === 'follower') return buildFollowLink(settings, topic, language);
  if (leadsToCase(settings, topic)) return buildPageLink(settings, language, `/case/${String(data['code'])}`);
  if (to === 'visitor') return buildPageLink(settings, language, `/sign-in/link/${String(data['code'])}`);
  if (kind === 'broker.invitation') return buildPageLink(settings, language, '/answer');
  if (about === null) return undefined;
  const reference = about === 'broker' ? slug : String(data['reference']);
  if (link !== undefined && reference !== undefined)
    return link.replaceAll('{about}', about).replaceAll('{reference}', encodeURIComponent(reference));
  if (about === 'broker') return slug && `${publicUrl}/api/v1/brokers/${slug}`;
  return to === 'person' && reference !== undefined
    ? buildPageLink(settings, language, `/mine/${OWN_LISTS[about]}/${encodeURIComponent(reference)}`)
    : undefined;
};

/** Returns the id that a message has in mail. */
const toMessageId = (id: string, from: string): string => `${id}@${addressIn(from)?.split('@').at(-1) ?? hostname()}`;

/** The header of every mail that machines must not answer (RFC 3834). */
const OF_A_MACHINE = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/** How mail is stopped with one click (RFC 8058). */
const toUnsubscribeHeaders = (stop: string | undefined): Readonly<Record<string, string>> =>
  stop === undefined ? {} : { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Returns the changes of a week with the current names of brokers. Who is gone is left out. */
const nameChanges = async (
  db: Db,
  settings: MessageSettings,
  changes: readonly BrokerChanges[],
  language: NoticeLanguage,
): Promise<NamedChanges[]> => {
  const find = await resolveSlugs(
    db,
    changes.map(({ broker }) => broker),
  );
  return changes.flatMap(({ broker, kinds }) => {
    const found = find(broker);
    return found
      ? [{ name: found.name, kinds, link: buildPageLink(settings, language, `/brokers/${found.slug}/history`) }]
      : [];
  });
};

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
  const { to: audience, confirms } = NOTICES[kind];
  const isFollower = audience === 'follower';
  const token = confirms || !(isFollower || audience === 'person') ? undefined : address?.stopToken;
  const stop = token && `${settings.publicUrl}/mail/stop/${token}`;
  const language = address?.language ?? notice.language ?? settings.language;
  const topic = { notice, slug: broker?.slug };
  const link = buildLink(settings, topic, language);
  const { subject, text } = composeMessage(readTexts(settings.templates, kind, language), {
    language,
    data,
    broker: broker?.name ?? key,
    link,
    ...(isFollower ? { manage: token && buildPageLink(settings, language, `/follow/mine/${token}`) } : { stop }),
    changes:
      kind === 'follow.weekly'
        ? await nameChanges(db, settings, data['changes'] as readonly BrokerChanges[], language)
        : undefined,
  });
  return {
    to,
    subject,
    text,
    messageId: toMessageId(notice._id, settings.from),
    headers: { ...OF_A_MACHINE, 'Content-Language': language, ...toUnsubscribeHeaders(stop) },
  };
};
