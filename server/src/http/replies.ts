import type { Request, Response } from 'express';
import { codingFor, type Form, isKnown, makeForm } from './forms.ts';
import type { Answer, Prepared } from './prepared.ts';

const isCacheable = (res: Response): boolean => String(res.get('Cache-Control')).startsWith('public');

/** Writes the bytes; where they may be cached, with their tag, and 304 for a caller that has them. The status must be set. */
export const sendForm = (req: Request, res: Response, form: Form): void => {
  if (res.headersSent) return; // the deadline answered already
  res.vary('Accept-Encoding');
  if (isCacheable(res) && res.statusCode === 200) {
    res.set('ETag', form.etag);
    if (isKnown(req.get('If-None-Match'), form.etag)) {
      res.status(304).end();
      return;
    }
  }
  for (const [name, value] of Object.entries(form.headers)) res.setHeader(name, value); // Express would add a charset
  res.end(req.method === 'HEAD' ? undefined : form.bytes);
};

/** Writes a JSON answer, compressed as the caller accepts. */
export const sendJson = async (
  req: Request,
  res: Response,
  body: unknown,
  contentType = 'application/json',
): Promise<void> => {
  if (res.headersSent) return;
  const plain = Buffer.from(JSON.stringify(body));
  sendForm(req, res, await makeForm(plain, codingFor(req.get('Accept-Encoding'), plain.length), contentType));
};

/** Writes a prepared answer. */
export const sendAnswer = async (req: Request, res: Response, prepared: Prepared, key: string, answer: Answer) => {
  const coding = codingFor(req.get('Accept-Encoding'), answer.plain.length);
  const form = await prepared.formOf(key, answer, coding);
  if (res.headersSent) return;
  res.set(answer.headers);
  const age = prepared.ageOf(answer);
  if (age > 0) res.set('Age', String(age));
  sendForm(req, res, form);
};
