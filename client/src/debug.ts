import type { Hooks } from './hooks.ts';
import { report } from './report.ts';

/** The part of the global object that is used here; platforms may lack it. */
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
 * Returns hooks that write each answer, retry and failure to the error output if an environment variable asks for it.
 * On Deno they are always off, because Deno would ask the user for permission to read the environment.
 */
export const debugHooks = (): readonly Hooks[] =>
  !('Deno' in globalThis) && (globalThis as Environment).process?.env?.['BROKER_TRANSPARENCY_DEBUG']
    ? [{ response: say, retry: say, error: say }]
    : [];
