import type { BrokerDetail } from '@broker-transparency/client';
import { type Html, raw } from '../html.ts';
import { addressIn } from '../languages.ts';
import type { PageContext } from '../page.ts';

const SIGNS: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** Renders data in a page that is never executed. No text in it can end its element. */
const dataBlock = (data: unknown): Html =>
  raw(
    `<script type="application/ld+json">${JSON.stringify(data).replaceAll(/[<>&]/g, (sign) => SIGNS[sign] as string)}</script>\n`,
  );

/**
 * Renders a broker and its newest reviews by schema.org, for machines. It contains no aggregate rating, because the
 * score is no average of stars. For a suspected clone it contains neither the site nor the LEI, which is its victim's.
 */
export const schemaOrg = (
  context: Pick<PageContext, 'publicUrl' | 'prefix'>,
  broker: Pick<
    BrokerDetail,
    | 'slug'
    | 'name'
    | 'legalName'
    | 'tradingNames'
    | 'lei'
    | 'website'
    | 'country'
    | 'foundedYear'
    | 'description'
    | 'status'
    | 'recentReviews'
  >,
): Html => {
  const page = `${context.publicUrl}${addressIn(context, `/brokers/${broker.slug}`)}`;
  const { tradingNames, lei, foundedYear, description, status, recentReviews } = broker;
  const isClone = status === 'suspected_clone';
  return dataBlock({
    '@context': 'https://schema.org',
    '@type': 'Organization',
    '@id': `${page}#organization`,
    mainEntityOfPage: page,
    name: broker.name,
    legalName: broker.legalName,
    ...(tradingNames.length > 0 ? { alternateName: tradingNames } : {}),
    ...(lei === undefined || isClone ? {} : { leiCode: lei }),
    ...(isClone ? {} : { url: broker.website }),
    address: { '@type': 'PostalAddress', addressCountry: broker.country },
    ...(foundedYear === null ? {} : { foundingDate: String(foundedYear) }),
    ...(description === '' ? {} : { description }),
    ...(recentReviews.length === 0 ? {} : { review: recentReviews.map((review) => toReview(review, page)) }),
  });
};

const toReview = (review: BrokerDetail['recentReviews'][number], page: string) => ({
  '@type': 'Review',
  itemReviewed: { '@id': `${page}#organization` },
  author: { '@type': 'Person', name: review.author.displayName },
  datePublished: review.createdAt,
  inLanguage: review.language,
  name: review.title,
  reviewBody: review.content,
  reviewRating: { '@type': 'Rating', ratingValue: review.rating, bestRating: 5, worstRating: 1 },
});
