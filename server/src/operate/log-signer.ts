import { readOpenedAddress } from '@broker-transparency/embedded-mongo/mongo';
import { createClock } from '../platform/clock.ts';
import { DomainError } from '../platform/domain-error.ts';
import { createLog, flushLog, standardOutput } from '../platform/observe/log.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { type Config, describeDatabase, requireRealClock } from './config.ts';
import { requireServable } from './migrations/run.ts';
import { createParts } from './process/parts.ts';
import { awaitSignal } from './process/signals.ts';
import { createConnector, createSystemContext, openPool, print, startLog, startPresence } from './process/upkeep.ts';

/** @throws DomainError invalid_setting if a process with these settings would sign nothing */
const requireSigning = (config: Config): void => {
  if (config.logKeys.length === 0)
    throw new DomainError('invalid_setting', 'LOG_KEY is not set: it names the file of the key that signs the log.');
  requireRealClock(config);
};

/**
 * Keeps and signs the log until a signal arrives, in a process of its own, so that other processes need no key.
 * @throws Error with a one-line message if something it needs is unavailable
 */
export const signLog = async (config: Config): Promise<void> => {
  requireSigning(config);
  const log = createLog(config.logLevel, {}, standardOutput('alone'));
  const clock = createClock(undefined);
  const parts = createParts({ clock, log, metrics: createMetrics() });
  const signal = awaitSignal(log);
  try {
    const db = await openPool('background', createConnector(await readOpenedAddress(config)), parts);
    await requireServable(createSystemContext(db, clock), config);
    startPresence(db, parts);
    await startLog(db, config, parts);
    print(`Signs the log of ${describeDatabase(config)}`);
    await signal;
  } finally {
    await parts.closers.closeAll(log);
    await flushLog(log);
  }
};
