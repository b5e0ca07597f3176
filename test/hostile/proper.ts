import { PROBLEMS, Problem } from '@broker-transparency/contract';
import { expect } from 'vitest';
import type { RawAnswer } from '../support/raw-http.ts';

/** Texts that would reveal internals of the service to a caller. */
export const LEAK =
  /\n\s+at |node_modules|\/src\/|\/dist\/|\.[jt]s:\d+|Mongo|mongoose|E11000|CastError|ZodError|ts-rest/;

/** The longest time that an answer may take. */
const DEADLINE_MS = 2000;

/** Expects what holds for every answer, however broken the request was. */
export const expectProper = ({ status, headers, body, ms }: Omit<RawAnswer, 'bytes'>, bodiless = false): void => {
  const shown = `${status} ${headers.get('content-type')} ${body.slice(0, 1000)}`;
  expect(status, shown).toBeLessThan(500);
  expect(ms, shown).toBeLessThan(DEADLINE_MS);
  expect(headers.get('x-request-id'), shown).toMatch(/^[\w.-]{8,64}$/);
  if (status === 204 || status === 304) return;
  if (status === 308) {
    expect(headers.get('location'), shown).toMatch(/^\/(?![/\\])/); // it stays with this service
    return;
  }
  const isPage = status === 200 && headers.get('content-type') === 'text/html; charset=utf-8';
  if (isPage) {
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'(?!.*unsafe)/);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
  } else
    expect(headers.get('content-type'), shown).toMatch(
      status < 400 ? /^application\/json(; charset=utf-8)?$/ : /^application\/problem\+json$/,
    );
  if (bodiless || headers.has('content-encoding')) return;
  expect(body).not.toMatch(LEAK);
  if (isPage) expect(body).toMatch(/^<!doctype html>\n/);
  else if (status < 400) JSON.parse(body);
  else expectProblem(status, body, headers.get('x-request-id'));
};

const expectProblem = (status: number, body: string, requestId: string | undefined): void => {
  const problem = Problem.parse(JSON.parse(body));
  expect(problem).toEqual(JSON.parse(body)); // no undocumented field
  expect(problem).toMatchObject({ status, requestId, title: PROBLEMS[problem.code].title });
  expect(PROBLEMS[problem.code].status).toBe(status);
};
