import type { ModerationTransparency } from '@broker-transparency/contract';
import { succeeded } from './filled-service.ts';
import type { CliResult, Service } from './process.ts';

/** Parsed output of a command with `--json`. */
export const runJson = async <T = Record<string, unknown>>(service: Service, ...args: string[]): Promise<T[]> =>
  JSON.parse(succeeded(await service.cli(...args, '--json')));

/** The error message of a refused command, which must print one line and exit with 1. */
export const readRefusal = ({ code, stdout, stderr }: CliResult): string => {
  if (code !== 1 || stdout !== '' || stderr.trim().includes('\n'))
    throw new Error(`not refused in one line, but ${code}:\n${stdout}${stderr}`);
  return stderr.trim();
};

/** The published moderation counts of a broker. */
export const fetchCounts = async (service: Service, slug: string): Promise<ModerationTransparency> => {
  const response = await fetch(`${service.origin}/transparency/v1/moderation/${slug}`);
  if (!response.ok) throw new Error(`answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as ModerationTransparency;
};
