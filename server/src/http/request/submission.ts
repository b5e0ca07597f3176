import type { RouteMeta } from '@broker-transparency/contract';
import type * as z from 'zod';
import { type Principal, requireAccess } from '../auth/access.ts';
import { type Issue, toProblemItems } from '../problem/invalid-request.ts';
import { invalidRequest } from '../problem/problem.ts';

/** A route of a contract that takes a body. */
interface SubmissionRoute<Body extends z.ZodType> {
  readonly body: Body;
  readonly metadata: RouteMeta;
}

/** Returns a body as the schema of its route reads it. @throws ProblemError invalid_request, as the route answers */
export const parseSubmission = <Body extends z.ZodObject>(
  { body: schema }: Pick<SubmissionRoute<Body>, 'body'>,
  body: unknown,
): z.output<Body> => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues as readonly unknown[] as readonly Issue[];
  throw invalidRequest(toProblemItems(issues, 'body', Object.keys(schema.shape), body));
};

/** Checks that a time in a body has come. @throws ProblemError invalid_request with the field at fault */
export const requirePast = (field: string, time: string | undefined, now: Date): void => {
  if (time === undefined || Date.parse(time) <= now.getTime()) return;
  const detail = `"${field}" must not be in the future: it is ${now.toISOString()} now.`;
  throw invalidRequest([{ pointer: `#/${field}`, code: 'too_big', detail }]);
};

/** Checks that a person may use a route. @throws ProblemError kyc_required, insufficient_scope */
export const requireAllowed = (route: Pick<SubmissionRoute<z.ZodType>, 'metadata'>, principal: Principal): void => {
  requireAccess(route.metadata.access, { principal });
};
