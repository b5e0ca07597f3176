import * as z from 'zod';
import { CheckError } from './wrong.rule.ts';

/* The fields of an answer that a caller needs. There may be more: the service can add fields. */

/** A received answer. */
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

/** Returns the body of a successful answer. @throws CheckError */
export const requireBody = (what: string, { status, body }: ProbeResponse): string => {
  if (status < 200 || status > 299) throw new CheckError(`${what} answers ${status}${findProblemCode(body)}`);
  return body;
};

/** Parses an answer in JSON. @throws CheckError naming the first unexpected field */
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
/** The answer about a customer's account. */
export const AccountAnswer = z.looseObject({});
/** The stored state of a day after a delivery. */
export const Delivered = z.object({ lines: z.int().min(0), head: z.string().nullable() });
