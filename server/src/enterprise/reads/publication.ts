import { PLANS, type PlanName } from '@broker-transparency/contract/enterprise';
import { formatPublication, makePublication, type Publication, publicationPage } from '@broker-transparency/kernel';
import { ProblemError } from '../../http/problem/problem.ts';
import { fileBody } from '../../http/response/file-body.ts';
import type { Db } from '../../platform/mongo.ts';
import { ALONE } from '../../platform/page-alone.ts';
import { readPublication } from '../../published/record/publication.ts';

/** The policy of a page that runs and loads nothing: its JSON is data, and its style is inline. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const FORMS = {
  json: { contentType: 'application/json', write: formatPublication, headers: {} },
  html: {
    contentType: 'text/html; charset=utf-8',
    write: publicationPage,
    headers: { 'Content-Security-Policy': PAGE_POLICY, ...ALONE },
  },
} as const;

/** The requested publication and the plan of the caller. */
export interface AskedPublication {
  readonly slug: string;
  readonly date?: string | undefined;
  readonly format: keyof typeof FORMS;
  readonly plan: PlanName;
}

/** Returns a publication as a file. @throws ProblemError not_found if no signed tree contains it */
export const publicationFile = async (db: Db, { slug, date, format, plan }: AskedPublication): Promise<Publication> => {
  const facts = await readPublication(db, slug, date);
  if (!facts)
    throw new ProblemError(
      'not_found',
      `There is no publication of "${slug}" for this day: a rating has one for each day since the record began, once a ` +
        'signed checkpoint covers the day.',
    );
  const { contentType, write, headers } = FORMS[format];
  const publication = makePublication(facts, PLANS[plan].terms.republication);
  const name = `${facts.broker.slug}-${facts.rating.date}.${format}`;
  return fileBody(write(publication), {
    contentType,
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${name}"` },
  });
};
