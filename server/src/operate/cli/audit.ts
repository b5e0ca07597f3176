import { InvalidArgumentError } from 'commander';
import { findBrokerKey } from '../../features/brokers/facts.ts';
import type { AuditAction, SubjectKind } from '../../ledger/audit/actions.ts';
import { type AuditFilter, actorKey, listEntries, type StoredAuditEntry } from '../../ledger/audit/store.ts';
import { MODULES } from '../../modules.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { defineCommand } from './define-command.ts';
import type { Moment } from './moment.rule.ts';
import { LIMIT, parseMoment } from './options.ts';
import { formatCodes, truncateRows } from './output.ts';
import type { OpenDatabase } from './session.ts';

/** Every audit action with its meaning, by name. */
const AUDIT_ACTIONS = Object.fromEntries(MODULES.flatMap(({ audit }) => Object.entries(audit ?? {})).sort());

/** The kinds of subjects that entries are about. */
const SUBJECT_KINDS = MODULES.flatMap(({ subjects }) => subjects ?? []).sort() as SubjectKind[];

const isKind = (text: string): text is SubjectKind => SUBJECT_KINDS.some((kind) => kind === text);

/** Parses `kind:id`. An id may contain colons. */
const parseSubject = (text: string): { kind: SubjectKind; id: string } => {
  const [, kind = '', id = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? [];
  if (!isKind(kind)) throw new InvalidArgumentError(`Give kind:id, where kind is one of ${SUBJECT_KINDS.join(', ')}.`);
  return { kind, id };
};

const parseAction = (text: string): AuditAction => {
  if (!Object.hasOwn(AUDIT_ACTIONS, text)) throw new InvalidArgumentError('audit list --help names every action.');
  return text as AuditAction;
};

type ChangedFacts = StoredAuditEntry['before'];

const formatFacts = (facts: ChangedFacts): string | null =>
  facts &&
  Object.entries(facts)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

interface AuditSubject {
  readonly kind: SubjectKind;
  readonly id: string;
}

interface AuditListOptions extends Pick<AuditFilter, 'action' | 'by'> {
  readonly subject?: AuditSubject;
  readonly subjectKind?: SubjectKind;
  readonly since?: Moment;
  readonly until?: Moment;
  readonly limit: number;
}

/** Entries name a broker by its first slug, whatever it is called now. */
const toStoredSubject = async (db: Db, { kind, id }: AuditSubject): Promise<AuditSubject> =>
  kind === 'broker' ? { kind, id: await findBrokerKey(db, id) } : { kind, id };

const list = async (database: OpenDatabase, options: AuditListOptions) => {
  const { subject, subjectKind, action, by, since, until, limit } = options;
  const found = await database(async ({ clock, db }) => {
    const about = subject ? await toStoredSubject(db, subject) : subjectKind && { kind: subjectKind };
    const [from, before] = [since?.(clock()), until?.(clock())];
    if (from && before && from >= before)
      throw new DomainError(
        'invalid_input',
        `Nothing is from ${from.toISOString()} on and before ${before.toISOString()}.`,
      );
    return listEntries(db, { subject: about, action, by, since: from, before }, limit + 1);
  });
  const { rows, total } = truncateRows(found, limit);
  return { rows: subject ? rows.toReversed() : rows, total };
};

/** The commands that read the audit trail. No command changes it. */
export const auditCommands = [
  defineCommand({
    words: 'audit list',
    description: 'list entries, newest first; with --subject, oldest first',
    rights: { roles: ['admin'], reads: true },
    options: {
      subject: {
        value: '<kind:id>',
        what: 'the life of one thing, such as review:6b014b09f3536c20fa275367',
        parse: parseSubject,
        conflicts: 'subjectKind',
      },
      subjectKind: { value: '<kind>', what: 'only about things of this kind', choices: SUBJECT_KINDS },
      by: { value: '<name>', what: 'only by this operator, part of the service such as job:kyc-expiry, or account id' },
      action: { value: '<action>', what: 'one of those below', parse: parseAction },
      since: { value: '<when>', what: 'from a day or time on, or in the last 7d, 12h or 30m', parse: parseMoment },
      until: { value: '<when>', what: 'before a day or time, or up to 7d, 12h or 30m ago', parse: parseMoment },
      limit: LIMIT,
    },
    help: formatCodes('Actions', AUDIT_ACTIONS),
    example: ['--since 7d --by maria', '--subject review:6b014b09f3536c20fa275367'],
    run: ({ database }, options) => list(database, options),
    columns: [
      ['time', 'at'],
      ['who', (row) => actorKey(row.actor)],
      'action',
      ['subject', (row) => `${row.subject.kind}:${row.subject.id}`],
      ['before', (row) => formatFacts(row.before)],
      ['after', (row) => formatFacts(row.after)],
      ['why', 'reason'],
    ],
  }),
];
