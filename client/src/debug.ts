import type { Hooks } from './hooks.ts';
import { report } from './report.ts';

/** As far as platforms have it. */
interface Environment {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

interface Step {
  readonly call: string;
  readonly request: { readonly url: string };
  readonly attempt: number;
  readonly response?: Response;
  readonly error?: unknown;
}

const say = ({ call, request, attempt, response, error }: Step): void =>
  report(`${call} ${request.url}, try ${attempt}`, response?.status ?? String(error));

/**
 * Hooks that write each answer, retry and failure to the error output, where the environment asks for it. Not on Deno,
 * which would ask whoever sits there whether the environment may be read.
 */
export const debugHooks = (): readonly Hooks[] =>
  !('Deno' in globalThis) && (globalThis as Environment).process?.env?.['BROKER_TRANSPARENCY_DEBUG']
    ? [{ response: say, retry: say, error: say }]
    : [];
