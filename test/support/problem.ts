import { PROBLEMS, Problem } from '@broker-transparency/contract';
import { expect } from 'vitest';
import type { HttpResponse } from './http.ts';

/** The problem document of an answer. Asserts the exact shape and headers that every problem has. */
export const expectProblem = (answer: HttpResponse): Problem => {
  expect(answer.headers['content-type'], answer.text.slice(0, 300)).toBe('application/problem+json');
  const body = answer.json<Problem>();
  expect(Problem.strict().parse(body)).toEqual(body);
  const { status, title } = PROBLEMS[body.code];
  expect(body).toMatchObject({ status, title, requestId: answer.headers['x-request-id'] });
  expect(new URL(body.type).pathname).toBe(`/problems/${body.code}`);
  expect(answer.status).toBe(status);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(body.detail).not.toBe('');
  return body;
};
