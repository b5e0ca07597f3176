import * as z from 'zod';
import { CheckError } from './wrong.rule.ts';

/* What of an answer a caller needs. More may be in it: the service can add fields. */

/** An answer as it came. */
export interface ProbeResponse {
  readonly status: number;
  readonly body: string;
}

const findProblemCode = (body: string): string => {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : '';
  } catch {
    return '';
  }
};

/** Returns the body of a right answer. @throws Wrong */
export const requireBody = (what: string, { status, body }: ProbeResponse): string => {
  if (status < 200 || status > 299) throw new CheckError(`${what} answers ${status}${findProblemCode(body)}`);
  return body;
};

/** Parses an answer in JSON. @throws Wrong that names the first thing that is not as expected */
export const parseResponse = <T>(what: string, answer: ProbeResponse, schema: z.ZodType<T>): T => {
  const body = requireBody(what, answer);
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new CheckError(`${what} answers what is no JSON`);
  }
  const { success, data, error } = schema.safeParse(json);
  if (success) return data;
  throw new CheckError(`${what} answers without a right ${error.issues[0]?.path.join('.').slice(0, 60) || 'object'}`);
};

const Slug = z.string().regex(/^[a-z0-9-]{1,200}$/);

/** A page of the list of brokers. */
export const BrokerPage = z.object({ data: z.array(z.object({ slug: Slug })) });
/** One broker. */
export const BrokerAnswer = z.object({ slug: Slug });
/** What a customer is told about the account. */
export const AccountAnswer = z.looseObject({});
/** What a service has of a day after a delivery. */
export const Delivered = z.object({ lines: z.int().min(0), head: z.string().nullable() });
