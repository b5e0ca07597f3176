import type { FormFields, Language, Page } from '@broker-transparency/portal';
import type { Request, RequestHandler, Response } from 'express';
import { readForm } from '../http/request/body.ts';
import { withDeadline } from '../http/request/deadline.ts';
import { sendPage } from '../http/response/reply.ts';
import type { ContextFor } from './context.ts';

/** Answers to forms are not cached, since they are private. */
const NOT_KEPT = { 'Cache-Control': 'no-store' };

/** A page that takes a form, in a language. */
export interface FormPage {
  readonly page: Page;
  readonly language: Language;
}

/** Returns the fields of a form that was read. */
export const toFields = (body: unknown): FormFields =>
  Object.fromEntries(
    Object.entries((body ?? {}) as Record<string, unknown>).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );

/** Creates the function that answers forms, only to their senders. */
export const createForms = (contextFor: ContextFor): ((found: FormPage) => RequestHandler) => {
  const handleForm = async (req: Request, res: Response, { page, language }: FormPage): Promise<void> => {
    const { context, findCause } = contextFor(language, page.path, () => undefined);
    try {
      const made = await page.submit?.(context, toFields(req.body));
      if (made) await sendPage(res, { status: made.status ?? 200, headers: NOT_KEPT, html: made.html.text });
    } catch (error) {
      throw findCause(error);
    }
  };
  /** Reads a form and answers it, unless that takes too long. */
  return (found) =>
    withDeadline((req, res, next) =>
      readForm(req, res, (error?: unknown) => {
        if (error) next(error);
        else handleForm(req, res, found).catch(next);
      }),
    );
};
