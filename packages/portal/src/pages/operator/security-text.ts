import * as z from 'zod';
import { LANGUAGES } from '../../languages.ts';
import { toContactHref } from '../../operator.ts';
import { definePage, type PageContext } from '../../page.ts';

const PATH = '/.well-known/security.txt';
/** Days for which the file is valid, from the beginning of the day on which it is read. */
const VALID_DAYS = 30;
const DAY_MS = 86_400_000;

/** Returns how to report a vulnerability (RFC 9116); undefined without a contact. */
export const renderSecurityText = ({
  operator,
  publicUrl,
  now,
}: Pick<PageContext, 'operator' | 'publicUrl' | 'now'>): string | undefined => {
  const { securityContact } = operator;
  if (securityContact === undefined) return undefined;
  const expires = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS + VALID_DAYS * DAY_MS);
  return [
    `Contact: ${toContactHref(securityContact)}`,
    `Expires: ${expires.toISOString().replace('.000', '')}`,
    `Preferred-Languages: ${LANGUAGES.map(({ texts }) => texts.code).join(', ')}`,
    ...(publicUrl.startsWith('https://') ? [`Canonical: ${publicUrl}${PATH}`] : []), // no other address is allowed
    '',
  ].join('\n');
};

/** How to report a vulnerability (RFC 9116). */
export const securityText = definePage(
  PATH,
  { params: z.object({}), query: z.object({}), isTranslated: false },
  async (context) => {
    const text = renderSecurityText(context);
    return text === undefined
      ? {
          isMissing: true,
          reason: 'The operator of this service has not stated a contact for reports on its security.',
        }
      : { text, contentType: 'text/plain; charset=utf-8' };
  },
);
