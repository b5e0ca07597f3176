import { type Service, startService } from './service.ts';

/** Runs a server on the data of another one as if so many days had passed, for as long as `work` takes. */
export const onDay = async <T>(
  data: Service['data'],
  days: number,
  work: (service: Service) => Promise<T>,
): Promise<T> => {
  const service = await startService({ ...data, CLOCK: `+${days}d` });
  try {
    return await work(service);
  } finally {
    await service.end('SIGINT');
  }
};

const HOUR = 3_600_000;

/** A day at noon, give or take half an hour: for every process that is given the shift, the same moment. */
export interface StoryDay {
  /** What `CLOCK` is set to. */
  readonly clock: string;
  readonly now: () => Date;
}

/**
 * A calendar day, whatever day it is. Whole hours, since a shift tells all processes the same time, and a time does
 * not.
 */
export const storyDay = (day: string): StoryDay => {
  const hours = Math.round((Date.parse(`${day}T12:00:00Z`) - Date.now()) / HOUR);
  return {
    clock: `${hours < 0 ? '-' : '+'}${Math.abs(hours)}h`,
    now: () => new Date(Date.now() + hours * HOUR),
  };
};
