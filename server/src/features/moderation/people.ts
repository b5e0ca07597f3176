import type { DataSubject, PersonalDataSource } from '../../ledger/define-module.ts';
import type { Tx } from '../../platform/mongo.ts';
import { hashAddress } from '../notices/address.rule.ts';
import { removeSender } from '../notices/senders.ts';
import { findByPerson } from '../reviews/facts.ts';
import { tallyAppeal, tallyReport } from '../transparency/tally.ts';
import { deleteSender } from './links.ts';
import { endStatements } from './statement-entry.ts';
import * as store from './store.ts';

const findPersonCases = async (person: DataSubject, tx: Tx, limit?: number): Promise<store.ModerationCases> => {
  const reviews = await findByPerson(person, tx);
  const reviewIds = reviews.map(({ _id }) => String(_id));
  const mailHashes = person.addresses.map(hashAddress);
  return store.findCases({ accountIds: person.accountIds, mailHashes, reviewIds }, tx, limit);
};

/**
 * The personal data in moderation: the person's reports and appeals, with those that came from a confirmed address of
 * theirs without an account, and all cases about their reviews, including reports by others. It leaves out the
 * moderators' names and their notes to each other. An erasure deletes these documents and removes them from all counts.
 * An id of a report or link stands for who sent it, or reads by it: what was ended of them has such an erasure, too, so
 * that no backup brings it back.
 */
export const moderationData: PersonalDataSource = {
  name: 'reports',
  held: async (person, tx) => {
    const { reports, appeals, decisions, flags } = await findPersonCases(person, tx);
    const mailHashes = person.addresses.map(hashAddress);
    const own = ({ accountId, contact }: store.CaseParty) =>
      (accountId !== undefined && person.accountIds.includes(accountId)) ||
      (contact?.mailHash !== undefined && mailHashes.includes(contact.mailHash));
    return {
      reports: reports.filter(own),
      appeals: appeals.filter(own).map(({ decidedBy, ...appeal }) => appeal),
      decisions: decisions.map(({ decidedBy, decidedBefore, waitedDays, ...decision }) => decision),
      flags: flags.map(({ by, note, ...flag }) => flag),
    };
  },
  erase: async (c, person, limit) => {
    const cases = await findPersonCases(person, c.tx, limit);
    for (const report of cases.reports) await tallyReport(c, report, report, undefined);
    for (const appeal of cases.appeals) await tallyAppeal(c, appeal, appeal, undefined);
    for (const { _id, accountId } of cases.reports) if (accountId === undefined) await removeSender(c, String(_id));
    endStatements(c, cases.decisions);
    await store.deleteCases(cases, c.tx);
    const note = (kind: 'report' | 'appeal', { _id, status }: store.ReportDocument | store.AppealDocument): void =>
      c.audit(
        `${kind}.erased`,
        { kind, id: String(_id) },
        { before: { status }, after: null, reason: 'person_erased' },
      );
    for (const report of cases.reports) note('report', report);
    for (const appeal of cases.appeals) note('appeal', appeal);
    const senders = await store.findSenders(person.accountIds, c.tx);
    for (const report of senders) await deleteSender(c, report);
    const links = await store.deleteLinksById(person.accountIds, c.tx);
    return Object.values(cases).reduce((sum, rows) => sum + rows.length, senders.length + links);
  },
};
