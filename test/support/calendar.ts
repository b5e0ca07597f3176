import { type Service, startService } from './service.ts';

/** Runs a server on this data folder as if so many days had passed, for as long as `work` takes. */
export const onDay = async <T>(dataDir: string, days: number, work: (service: Service) => Promise<T>): Promise<T> => {
  const service = await startService({ DATA_DIR: dataDir, CLOCK: `+${days}d` });
  try {
    return await work(service);
  } finally {
    await service.end('SIGINT');
  }
};
