import type * as z from 'zod';
import type { Html } from '../html.ts';
import type { FormFields, PageContext, PageRequest } from '../page.ts';
import type { PrivateActions } from './actions.ts';
import type { AnsweredBroker } from './answered-broker.ts';

/** The person who is signed in. */
export interface Visitor {
  /** An address of mail, or the name at the identity provider. Only the person sees it. */
  readonly label: string;
  readonly method: 'provider' | 'link';
  /** True if the identity of the person is verified. */
  readonly isVerified: boolean;
  /** True if they proved within the last minutes who they are. */
  readonly isFresh: boolean;
  readonly brokers: readonly AnsweredBroker[];
  /** Set if the person is an operator. */
  readonly operator: { readonly name: string; readonly role: string } | undefined;
}

/** Context of a private page. */
export interface PrivateContext extends PageContext {
  /** Undefined if nobody is signed in. */
  readonly visitor: Visitor | undefined;
  /** Proves that a form comes from a page of this session. Empty if nobody is signed in. */
  readonly formToken: string;
  readonly actions: PrivateActions;
}

/**
 * A page, a file, or a redirect (303): to a path without language, or to the address of another service; 404 if there
 * is nothing, with the reason.
 */
export type PrivateResponse =
  | { readonly html: Html; readonly status?: 200 | 403 | 409 | 410 | 422 | 429 | 502 }
  | { readonly seeOther: string }
  | { readonly leaveTo: string }
  | { readonly file: { readonly name: string; readonly contentType: string; readonly text: string } }
  | { readonly isMissing: true; readonly reason?: string };

/** A page that is made for one reader. It is never cached, and no search engine lists it. */
export interface PrivatePage {
  /** Template of its path: `/case/:token`. */
  readonly path: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** True if there is one in each language. */
  readonly isTranslated: boolean;
  /** Who may read it and send its form. Everybody else is asked to sign in first. */
  readonly needs: 'nobody' | 'person' | 'operator';
  /** True if its path has a secret, which no log shows. */
  readonly hasSecret: boolean;
  /** True if it waits for another service, such as the identity provider, longer than others wait for the database. */
  readonly waits: boolean;
  readonly render: (context: PrivateContext, asked: PageRequest) => Promise<PrivateResponse>;
  /** Returns the answer to its form. Its address has the same parameters as that of the page. */
  readonly submit:
    | ((context: PrivateContext, asked: PageRequest, fields: FormFields) => Promise<PrivateResponse>)
    | undefined;
  /**
   * Returns the answer to a form of this service whose session has ended, such as a page with the typed text. Changes
   * nothing. Undefined if there is nothing to keep.
   */
  readonly keep:
    | ((context: PrivateContext, asked: PageRequest, fields: FormFields) => Promise<PrivateResponse | undefined>)
    | undefined;
}

interface PrivateOptions<Params extends z.ZodObject, Query extends z.ZodObject>
  extends Pick<PrivatePage, 'needs'>,
    Partial<Pick<PrivatePage, 'isTranslated' | 'hasSecret' | 'waits'>> {
  readonly params: Params;
  readonly query: Query;
}

interface PrivateHandlers<Params, Query> {
  readonly render: (context: PrivateContext, asked: PageRequest<Params, Query>) => Promise<PrivateResponse>;
  readonly submit?: (
    context: PrivateContext,
    asked: PageRequest<Params, Query>,
    fields: FormFields,
  ) => Promise<PrivateResponse>;
  readonly keep?: (
    context: PrivateContext,
    asked: PageRequest<Params, Query>,
    fields: FormFields,
  ) => Promise<PrivateResponse | undefined>;
}

/**
 * Defines a private page. A form that was taken is answered by `seeOther`, so that the page behind it can be loaded
 * again; one with a fault, by `html` with the status 422.
 * @example
 * definePrivatePage('/mine', { params: z.object({}), query: z.object({}), needs: 'person' }, {
 *   render: async (context) => ({ html: privateLayout(context, { title: 'Mine', body: html`<p>…</p>` }) }) });
 */
export const definePrivatePage = <Params extends z.ZodObject, Query extends z.ZodObject>(
  path: string,
  { params, query, needs, isTranslated = true, hasSecret = false, waits = false }: PrivateOptions<Params, Query>,
  { render, submit, keep }: PrivateHandlers<z.infer<Params>, z.infer<Query>>,
): PrivatePage => ({
  path,
  params,
  query,
  needs,
  isTranslated,
  hasSecret,
  waits,
  render: render as PrivatePage['render'],
  submit: submit as PrivatePage['submit'],
  keep: keep as PrivatePage['keep'],
});
