import type { AnswerCheck } from './api-response.ts';
import type { Settings } from './settings.ts';

/**
 * Verifies answers. `verifier` of the entry `/verify` makes one.
 * @example const connect = (verify: AnswerVerifier) => createClient({ baseUrl: 'https://brokers.example', verify });
 */
export interface AnswerVerifier {
  /** Returns the check of a client's answers. `createClient` calls this. */
  readonly connect: (settings: Settings) => AnswerCheck;
}
