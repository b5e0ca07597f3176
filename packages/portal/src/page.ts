import type { BrokerList, ClientWith } from '@broker-transparency/client';
import type { record } from '@broker-transparency/client/record';
import type { Color, LICENSE_FILTERS, WARNING_FILTERS } from '@broker-transparency/contract';
import type * as z from 'zod';
import type { Library } from './docs/library.ts';
import type { Follows } from './follows.ts';
import type { Html } from './html.ts';
import type { Language } from './languages.ts';
import type { LookAlikes } from './look-alikes.ts';
import type { Marks } from './marks.ts';
import type { CustomerInterests, DisputeCounts, ModerationFigures, Operator } from './operator.ts';
import type { Picture } from './pictures/picture.ts';

/** The part of the page context that is the same for all pages of a running service. */
export interface Site {
  /** Base address under which people reach the service, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
  /** Returns the address of a file of `server/data/site`, which changes with its bytes. */
  readonly asset: (name: AssetName) => string;
  /** Returns whether the service has the page with this template; some services lack pages. */
  readonly has: (path: string) => boolean;
  /** Returns slugs of the list of brokers, best score first, without reading the brokers. */
  readonly slugs: (limit: number, offset: number) => readonly string[];
  /** Texts and documents of the documentation. */
  readonly library: Library;
  readonly lookAlikes: LookAlikes;
  readonly marks: Marks;
  /** Undefined if the service sends no mail. */
  readonly follows: Follows | undefined;
  readonly operator: Operator;
  /** Counts what became of disputes, now. */
  readonly countDisputes: () => Promise<DisputeCounts>;
  /** Reads how reviews of all brokers were moderated, now. */
  readonly readModeration: () => Promise<ModerationFigures>;
  /** Reads which customers are brokers or belong to one, now. */
  readonly readCustomers: () => Promise<CustomerInterests>;
}

/** Filter, order and page of a list of brokers. */
export interface DirectoryQuery {
  readonly color?: Color | undefined;
  /** ISO 3166-1 alpha-2 code of the country of the firm. */
  readonly country?: string | undefined;
  /** Code of a regulator whose licence it holds. */
  readonly regulator?: string | undefined;
  /** Any confirmed licence, none, or the best tier of the confirmed ones. */
  readonly license?: (typeof LICENSE_FILTERS)[number] | undefined;
  /** A warning about it is in force, or none is known. */
  readonly warnings?: (typeof WARNING_FILTERS)[number] | undefined;
  /** ISO 3166-1 alpha-2 code of the country of clients for whom the verdict is `permitted`. */
  readonly residence?: string | undefined;
  readonly limit: number;
  readonly offset: number;
  /** By default best first. */
  readonly order?: 'best' | 'lowest' | 'name' | 'changed' | undefined;
}

/**
 * Brokers in the form of the API, and the number of brokers per choice of the filter while the others stay. Choices
 * without brokers are missing.
 */
export interface DirectoryPage extends BrokerList {
  readonly choices: Readonly<
    Record<'color' | 'country' | 'regulator' | 'license' | 'warnings' | 'residence', Readonly<Record<string, number>>>
  >;
}

/** Context of a page. */
export interface PageContext extends Site, Language {
  /** Reads public data, inside the process. */
  readonly client: ClientWith<ReturnType<typeof record>>;
  /** Lists brokers by any filter, in the order of the API's list. */
  readonly listBrokers: (query: DirectoryQuery) => Promise<DirectoryPage>;
  /** Path of the page without its language prefix. */
  readonly path: string;
  /** Query of the page's address, such as `?page=2`; empty if there is none. */
  readonly query: string;
  /** Returns the time at which the oldest data read so far was current. */
  readonly asOf: () => Date;
  readonly now: Date;
}

/** The part of the page context that renders texts. */
export type TextContext = Pick<PageContext, 'texts' | 'format'>;

/** Parameters of a request for a page, checked by its schemas. */
export interface PageRequest<Params = unknown, Query = unknown> {
  readonly params: Params;
  readonly query: Query;
}

/**
 * A page as HTML, another file, a file whose address changes with its bytes, a picture that the service draws as PNG, or
 * a redirect (308) to a path without language, with the same query unless the path has one; 404 if there is nothing,
 * with the reason. `isFramed` lets any site frame the page.
 */
export type PageResponse =
  | { readonly html: Html; readonly isFramed?: boolean }
  | { readonly text: string; readonly contentType: string }
  | { readonly unchanging: Uint8Array; readonly contentType: string }
  | { readonly picture: Picture }
  | { readonly movedTo: string; readonly query?: string }
  | { readonly isMissing: true; readonly reason?: string };

/** A page that is the same for all readers. Query parameters outside of its schema are dropped. */
export interface Page {
  /** Template of its path: `/brokers/:slug`. */
  readonly path: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** True if there is one in each language. */
  readonly isTranslated: boolean;
  /** Budget of its requests. Badges have their own, since their readers did not choose to visit this site. */
  readonly limit: 'pages' | 'badges';
  /**
   * `history` if the page reads the record, which fails otherwise, or draws a picture. Building the page is then heavy
   * work, and costs one request of this budget, however many reads it makes.
   */
  readonly costs?: 'history' | undefined;
  readonly render: (context: PageContext, asked: PageRequest) => Promise<PageResponse>;
  /** Returns the answer to a submitted form, which changes nothing; nothing of it is cached, stored or logged. */
  readonly submit?: (context: PageContext, fields: FormFields) => Promise<FormResponse>;
}

/** Fields of a form, by name. A repeated field is left out. */
export type FormFields = Readonly<Record<string, string | undefined>>;

/** The page after a form was sent. 422: an input must be corrected. */
interface FormResponse {
  readonly html: Html;
  readonly status?: 200 | 422;
}

interface PageOptions<Params extends z.ZodObject, Query extends z.ZodObject> {
  readonly params: Params;
  readonly query: Query;
  readonly isTranslated?: boolean;
  readonly limit?: Page['limit'];
  readonly costs?: Page['costs'];
}

/**
 * Defines a page.
 * @example
 * definePage('/brokers/:slug', { params: z.object({ slug: Slug }), query: z.object({}) }, async ({ client }, asked) =>
 *   ({ html: html`<h1>${(await client.brokers.get(asked.params.slug)).name}</h1>` }));
 */
export const definePage = <Params extends z.ZodObject, Query extends z.ZodObject>(
  path: string,
  { params, query, isTranslated = true, limit = 'pages', costs }: PageOptions<Params, Query>,
  render: (context: PageContext, asked: PageRequest<z.infer<Params>, z.infer<Query>>) => Promise<PageResponse>,
): Page => ({ path, params, query, isTranslated, limit, costs, render: render as Page['render'] });

/** Adds a form handler to a page. */
export const withForm = (page: Page, submit: NonNullable<Page['submit']>): Page => ({ ...page, submit });

/**
 * Files that pages load. `generate.ts` makes each of them from `packages/portal/style`,
 * `packages/portal/src/islands` and the mark of the service.
 */
export type AssetName = `${string}.css` | `${string}.js` | 'icon.svg';
