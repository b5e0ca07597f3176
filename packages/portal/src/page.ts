import type { BrokerList, Client } from '@broker-transparency/client';
import type { RecordClient } from '@broker-transparency/client/record';
import type { Color, ModerationTransparency, Tier } from '@broker-transparency/contract';
import type * as z from 'zod';
import type { Library } from './docs/library.ts';
import type { Html } from './html.ts';
import type { Language } from './languages.ts';
import type { LookAlikes } from './look-alikes.ts';

/** What is the same for all pages of a running service. */
export interface Site {
  /** Base address under which people reach the service, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
  /** The address of a file of `server/data/site`, which changes with its bytes. */
  readonly asset: (name: AssetName) => string;
  /** Whether the service has the page with this template: not every service has them all. */
  readonly has: (path: string) => boolean;
  /** Slugs of the list of brokers, best score first, without reading what is listed. */
  readonly slugs: (limit: number, offset: number) => readonly string[];
  /** Texts and documents of the documentation. */
  readonly library: Library;
  readonly lookAlikes: LookAlikes;
}

/** Which brokers are asked for. */
export interface DirectoryQuery {
  readonly color?: Color | undefined;
  /** ISO 3166-1 alpha-2 code of the country of the firm behind it. */
  readonly country?: string | undefined;
  /** Code of a regulator with a licence that it holds. */
  readonly regulator?: string | undefined;
  /** Any licence that is confirmed, none, or the best tier of those that are. */
  readonly licence?: 'confirmed' | 'none' | Tier | undefined;
  /** True: a warning about it stands. False: none is known. */
  readonly isWarned?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Lowest score first; by default best first. */
  readonly isLowestFirst?: boolean | undefined;
}

/**
 * Brokers as the API lists them, and numbers of brokers that each choice of the filter lists while the others stay. A choice
 * that lists none is missing.
 */
export interface DirectoryPage extends BrokerList {
  readonly choices: Readonly<
    Record<'color' | 'country' | 'regulator' | 'licence' | 'isWarned', Readonly<Record<string, number>>>
  >;
}

/** What a page is made with. */
export interface PageContext extends Site, Language {
  /** Reads what anybody can read, inside the process. */
  readonly client: Client;
  readonly record: RecordClient;
  /** What became of the reviews of a broker; undefined if it cannot be read. */
  readonly moderation: (slug: string) => Promise<ModerationTransparency | undefined>;
  /** Lists brokers by country, regulator, licence and warning too, in the order of the API's list. */
  readonly listBrokers: (query: DirectoryQuery) => Promise<DirectoryPage>;
  /** Path of the page without that of its language. */
  readonly path: string;
  /** What is asked of the page in its address, such as `?page=2`; empty where nothing is. */
  readonly query: string;
  /** When the oldest of the data that was read so far was current. */
  readonly asOf: () => Date;
  readonly now: Date;
}

/** What a request asks of a page, checked by its schemas. */
export interface PageRequest<Params = unknown, Query = unknown> {
  readonly params: Params;
  readonly query: Query;
}

/**
 * A page as HTML, another file, or the path of the page that is there instead (308, without the language), with the query
 * that was asked unless it names its own; 404 where nothing is. Any site may frame a page with `isFramed`.
 */
export type PageResponse =
  | { readonly html: Html; readonly isFramed?: boolean }
  | { readonly text: string; readonly contentType: string }
  | { readonly movedTo: string; readonly query?: string }
  | { readonly isMissing: true };

/** A page that everybody sees alike. Parameters of the query that its schema does not name are left out. */
export interface Page {
  /** Template of its path: `/brokers/:slug`. */
  readonly path: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Whether there is one in each language. */
  readonly isTranslated: boolean;
  /** The budget that it is counted against. Those who meet badges elsewhere did not come here for them. */
  readonly limit: 'pages' | 'badges';
  /**
   * Whether it reads the record, as the API does against this budget. Without it, such a read fails. With it, building the
   * page is heavy work, and takes one request from the budget, however many reads it makes.
   */
  readonly costs?: 'history' | undefined;
  readonly render: (context: PageContext, asked: PageRequest) => Promise<PageResponse>;
  /** What is answered to a form that is sent to the page; nothing of it is cached, kept or logged. */
  readonly submit?: (context: PageContext, fields: FormFields) => Promise<FormResponse>;
}

/** What somebody typed into a form, by name. A field that was sent more than once is left out. */
export type FormFields = Readonly<Record<string, string | undefined>>;

/** The page after a form was sent. 422: something has to be typed again. */
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

/** Adds what is answered to a form that is sent to a page. */
export const withForm = (page: Page, submit: NonNullable<Page['submit']>): Page => ({ ...page, submit });

/** Files that pages load. Each is made by `generate.ts` from `packages/portal/style` and `packages/portal/src/islands`. */
export type AssetName = `${string}.css` | `${string}.js`;
