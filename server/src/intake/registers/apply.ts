import { basename } from 'node:path';
import { entryKey } from '@broker-transparency/contract/record';
import type { CheckedLicense, LicenseCheck } from '../../features/brokers/check.rule.ts';
import { recordLicenseCheck } from '../../features/brokers/checks.ts';
import { toLicenseEntryKey } from '../../features/brokers/entries.rule.ts';
import { readNewsStates } from '../../features/news/actions.ts';
import { writeNews } from '../../features/news/import-kind.ts';
import { type NewsRecord, newsId } from '../../features/news/record.rule.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { Db } from '../../platform/mongo.ts';
import {
  findLastRun,
  finishRun,
  formatCredit,
  formatRunReason,
  saveBatch,
  startRun,
  type Terms,
} from '../imports/runs.ts';
import type { RunDocument } from '../imports/store.ts';
import type { LicenceSource } from '../sources/source.rule.ts';
import type { RegisterCheck } from './check.ts';
import type { Finding } from './compare.rule.ts';
import { toNewsRecords } from './news.ts';

interface ApplyJob {
  readonly source: LicenceSource;
  readonly file: string;
  /** Time that the file describes, RFC 3339. */
  readonly asOf: string;
  readonly terms: Terms;
}

const toCheckedLicense = (
  { ours, changes, status, statusSince, since, newName }: Finding,
  asOf: string,
): CheckedLicense => {
  const { license } = ours;
  const moved = changes.some((change) => change !== 'renamed');
  return {
    compared: license,
    status,
    statusEffectiveAt: !moved
      ? null // the file does not mention it
      : statusSince === undefined
        ? asOf
        : `${statusSince}T00:00:00.000Z`,
    ...(changes.includes('granted') && license.activeSince === undefined && since !== undefined
      ? { activeSince: since }
      : {}),
    ...(newName === undefined ? {} : { newName }),
  };
};

/** Returns the source of a register's claims. */
const toRegisterSource = ({ name }: LicenceSource) => ({ kind: 'register', name }) as const;

/** Returns the number of entries of the last applied file of a register. */
export const findLastRowCount = async (db: Db, source: LicenceSource): Promise<number | undefined> =>
  (await findLastRun(db, 'licenses', toRegisterSource(source)))?.rows;

/** Returns true if applying these findings would change nothing. */
const isKnown = (findings: readonly Finding[], checkedAt: string | null, asOf: string): boolean =>
  findings.every(
    ({ ours, changes, unclear, overruled }) =>
      unclear !== undefined || (changes.length === 0 && (overruled || ours.license.lastVerifiedAt === asOf)),
  ) &&
  (findings.some(({ unclear }) => unclear !== undefined) || (checkedAt !== null && checkedAt >= asOf));

/** The part of a run that concerns one broker. */
interface BrokerBatch {
  readonly run: RunDocument;
  readonly number: number;
  readonly findings: readonly Finding[];
}

const applyToBroker = async (
  c: TxContext,
  { source, asOf, terms }: ApplyJob,
  { run, number, findings }: BrokerBatch,
): Promise<void> => {
  const clear = findings.filter(({ unclear }) => unclear === undefined);
  const slug = (findings[0] as Finding).ours.broker;
  const check: LicenseCheck = {
    register: source.name,
    asOf,
    complete: clear.length === findings.length,
    source: { sourceUrl: source.page, attribution: formatCredit(terms) ?? source.publisher },
    licenses: clear.map((finding) => toCheckedLicense(finding, asOf)),
  };
  const reason = formatRunReason(run._id);
  const moved = await recordLicenseCheck(c, slug, check, { reason, cause: 'check', run: run._id, batch: number });
  // overruled findings are no news
  const news = clear
    .filter(({ ours }) => moved.has(ours.license))
    .flatMap((finding) => toNewsRecords(finding, source, asOf));
  await saveBatch(run, { number, after: number - 1, items: await publishNews(c, news, reason) }, c.tx);
};

const publishNews = async (c: TxContext, news: readonly NewsRecord[], reason: string) => {
  if (news.length === 0) return [];
  const known = await readNewsStates(
    news.map(({ url }) => newsId(url)),
    c.tx,
  );
  return writeNews(
    c,
    news.map((record) => ({ record, known: known.get(newsId(record.url)) })),
    reason,
  );
};

/** Returns the entries about the comparison of licences with the file, and the licences that it did not confirm. */
const toCheckEntries = ({ asOf }: ApplyJob, { findings, sha256 }: RegisterCheck): EntryDraft[] =>
  [...Map.groupBy(findings, ({ ours }) => ours.license.regulatorCode)].map(([regulator, found]) =>
    toCheckEntry(regulator, found, { asOf, sha256 }),
  );

const toCheckEntry = (
  regulator: string,
  findings: readonly Finding[],
  { asOf, sha256 }: { readonly asOf: string; readonly sha256: string },
): EntryDraft => {
  const unconfirmed = findings
    .filter(({ unclear }) => unclear !== undefined)
    .map(({ ours: { broker, license } }) => toLicenseEntryKey(broker, license));
  return {
    kind: 'check',
    key: entryKey('check', regulator, sha256),
    subject: entryKey('regulator', regulator),
    value: { regulator, asOf, sha256, unconfirmed: [...new Set(unconfirmed)].sort() },
    validFrom: asOf,
  };
};

/**
 * Writes the findings, one transaction per broker, with news, audit entries and the states that they replaced. Returns
 * the run, or undefined if nothing is new.
 * @throws DomainError state_conflict if a broker was changed meanwhile, or the run was undone
 */
export const applyCheck = async (
  context: Context,
  job: ApplyJob,
  checked: RegisterCheck,
): Promise<RunDocument | undefined> => {
  const byBroker = [...Map.groupBy(checked.findings, ({ ours }) => ours.broker)].filter(
    ([slug, findings]) => !isKnown(findings, checked.checkedAt.get(slug) ?? null, job.asOf),
  );
  if (byBroker.length === 0) return undefined;
  const { sha256, rows } = checked;
  const run = await startRun(context, {
    what: 'licenses',
    fileName: basename(job.file),
    sha256,
    rows,
    ...job.terms,
    source: toRegisterSource(job.source),
  });
  for (const [index, [, findings]] of byBroker.entries())
    await inTransaction(context, (c) => applyToBroker(c, job, { run, number: index + 1, findings }));
  await inTransaction(context, async (c) => {
    for (const entry of toCheckEntries(job, checked)) c.publish({ ...entry, cause: 'check', isBulk: true });
  });
  await finishRun(context, run);
  return run;
};
