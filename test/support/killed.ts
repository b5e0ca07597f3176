import type { MongoClient } from 'mongodb';
import { until } from './until.ts';

/** The address of a database for one process, whose sessions are known by this name. */
export const formatAddress = (url: string, appName: string): string => {
  const named = new URL(url);
  named.searchParams.set('appName', appName);
  return named.href;
};

/**
 * Ends what a killed process has left open in the database, and waits for what runs there to its end. MongoDB would
 * keep its transactions, and the documents that they have locked, for half a minute.
 */
export const endSessions = async (client: MongoClient, appName: string): Promise<void> => {
  const admin = client.db('admin');
  await until(`nothing of ${appName} is left`, 20_000, async () => {
    const left = await admin
      .aggregate([
        { $currentOp: { allUsers: true, idleSessions: true } },
        { $match: { appName, lsid: { $exists: true } } },
      ])
      .toArray();
    const patterns = left.filter(({ type }) => type === 'idleSession').map(({ lsid }) => ({ lsid }));
    if (patterns.length > 0) await admin.command({ killAllSessionsByPattern: patterns });
    return left.length === 0;
  });
};
