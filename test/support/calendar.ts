import { type LocalService, startService } from './service.ts';

/** Runs a server on another server's data, with its clock `days` ahead, while `work` runs. */
export const onDay = async <T>(
  data: LocalService['data'],
  days: number,
  work: (service: LocalService) => Promise<T>,
): Promise<T> => {
  const service = await startService({ ...data, CLOCK: `+${days}d` });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};

const HOUR = 3_600_000;

/** A day at noon, give or take half an hour. All processes that get the same shift agree on the time. */
export interface StoryDay {
  /** Value for the setting `CLOCK`. */
  readonly clock: string;
  readonly now: () => Date;
}

/**
 * A given calendar day, independent of today. It is a shift in whole hours, because all processes with one shift agree
 * on the time. With a fixed start time, each process would count from its own start.
 */
export const storyDay = (day: string): StoryDay => {
  const hours = Math.round((Date.parse(`${day}T12:00:00Z`) - Date.now()) / HOUR);
  return {
    clock: `${hours < 0 ? '-' : '+'}${Math.abs(hours)}h`,
    now: () => new Date(Date.now() + hours * HOUR),
  };
};
