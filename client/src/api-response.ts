import type { SentRequest } from './errors.ts';

/**
 * A successful answer.
 * @example const { data, response }: Answered<NewsList> = await client.news.list().withResponse();
 */
export interface ApiResponse<T = unknown> {
  readonly data: T;
  /** The request that got the answer. */
  readonly request: SentRequest;
  /** The answer. Its body has already been read. Status 304 means that the stored copy in `data` is still current. */
  readonly response: Response;
}

/** Checks the answer of a call once it comes, before the caller gets it. */
export type AnswerCheck = (
  asked: { readonly call: string; readonly signal: AbortSignal | undefined },
  answer: Promise<ApiResponse<object>>,
) => Promise<ApiResponse<object>>;
