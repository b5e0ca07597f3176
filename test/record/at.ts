import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import type { QueryTimes } from '@broker-transparency/contract/record';
import type { Service } from '../support/process.ts';
import { until } from '../support/until.ts';

/** The published score of a broker at two times; null if the broker is not published then. */
export interface ScoreThen {
  readonly value: number | null;
  readonly color: string;
  readonly methodologyVersion: string;
}

/** Asks again while the machine is too busy. */
const untilServed = (url: string): Promise<Response> =>
  until(`${url} is served`, 60_000, async () => {
    const answer = await fetch(url);
    return answer.status !== 503 && answer;
  });

/** Asks a service for the score of a broker, by its first slug, at two times. */
export const scoreThen = async (
  { origin }: Service,
  broker: string,
  { knownAt, validAt }: QueryTimes,
): Promise<ScoreThen | null> => {
  const asked = new URLSearchParams({ knownAt: String(knownAt), validAt });
  const answer = await untilServed(`${origin}${TRANSPARENCY_BASE_PATH}/brokers/${broker}/at?${asked}`);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  const { score } = (await answer.json()) as { score: ScoreThen };
  return { value: score.value, color: score.color, methodologyVersion: score.methodologyVersion };
};
