/** A log with witnesses: what their tests have in common. */
import { verifyCheckpoint } from '@broker-transparency/client/verify';
import { inDatabase } from '../support/database.ts';
import { createScratch } from '../support/files.ts';
import { importRows } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import type { ReadCheckpoint } from '../support/log-reader.ts';
import type { Service, Settings } from '../support/process.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { createReader, type LogState, newLogKey, ORIGIN, readLogState, untilAllSigned } from '../support/signed-log.ts';
import { until } from '../support/until.ts';
import { startWitness, type TestWitness } from '../support/witness.ts';

/** The state of one witness. */
export type WitnessState = NonNullable<LogState['witnesses']>['each'][number];

export const findWitnessState = async (service: Service, name: string): Promise<WitnessState> => {
  const found = (await readLogState(service)).witnesses?.each.find((each) => each.name === name);
  if (!found) throw new Error(`there is no witness ${name}`);
  return found;
};

/** Lets a witness be asked again now: as if its last signature were old, and its last failure long ago. */
export const makeDue = (service: Service, name: string) =>
  inDatabase(service, (db) =>
    db
      .collection('logWitnesses')
      .updateOne({ name }, { $set: { notBefore: new Date(0), 'cosignatures.$[].at': new Date(0) } }),
  );

/** Waits until the published checkpoint is one that the policy accepts. */
export const untilWitnessed = (service: Service, size: number, policy: string): Promise<ReadCheckpoint> =>
  until(`${size} entries are witnessed`, 45_000, async () => {
    const checkpoint = await createReader(service).checkpoint();
    if (checkpoint === undefined || checkpoint.size < size) return false;
    return verifyCheckpoint(checkpoint.text, policy).then(
      () => checkpoint,
      (error: { code: string }) => {
        if (error.code !== 'too_few_witnesses') throw error; // nothing wrong is ever served
        return undefined;
      },
    );
  });

/** The value of a metric of a witness. */
export const readMetric = async (service: Service, name: string, witness: string): Promise<number | undefined> => {
  const { text } = await send(`${service.origin}/metrics`);
  const found = new RegExp(`^broker_rating_log_${name}\\{witness="${witness}"\\} (\\S+)$`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Makes the key of a log; its witnesses and servers are added, and all are removed together. */
export const createWitnessedLog = async () => {
  const scratch = await createScratch();
  const key = await newLogKey(scratch, 'log.key');
  const witnesses: TestWitness[] = [];
  const services: LocalService[] = [];
  let [files, brokers] = [0, 0];
  const policyFile = (policy: string): Promise<string> => scratch.write(`policy-${files++}`, policy);
  return {
    scratch,
    key,
    policyFile,
    newWitness: async (): Promise<TestWitness> => {
      const witness = await startWitness({ origin: ORIGIN, verifierKey: key.verifierKey });
      witnesses.push(witness);
      return witness;
    },
    /** The policy for witnesses by name, for the log as well as for its readers. */
    formatPolicy: (known: Readonly<Record<string, TestWitness>>, quorum: string): string => {
      const lines = Object.entries(known).map(([name, one]) => one.formatLine(name));
      return `log ${key.verifierKey}\n${lines.join('')}${quorum}\n`;
    },
    /** Starts a server, on the data of another one if `more` names it. */
    start: async (policy: string, more: Settings = {}): Promise<LocalService> => {
      const service = await startService({ LOG_KEY: key.file, LOG_WITNESSES: await policyFile(policy), ...more });
      services.push(service);
      return service;
    },
    /** Publishes more brokers, and waits for a checkpoint that covers them. Returns it, and the last of them. */
    grow: async (service: Service, count = 1): Promise<ReadCheckpoint & { readonly slug: string }> => {
      const slugs = Array.from({ length: count }, () => `broker-${brokers++}`);
      await importRows(
        service,
        'brokers',
        slugs.map((each) => brokerRow(each)),
      );
      return { ...(await untilAllSigned(service)), slug: slugs.at(-1) as string };
    },
    remove: async (): Promise<void> => {
      await Promise.all(services.map((service) => service.close())); // some share a folder
      await Promise.all(services.map((service) => service.remove()));
      await Promise.all(witnesses.map((witness) => witness.close()));
      await scratch.remove();
    },
  };
};
