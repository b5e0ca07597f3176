import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One of them at the end of a run would keep one worker busy, and the others idle. */
const SLOW = [
  'server/src/published/record/history-any.test.ts',
  'test/operate/start.test.ts',
  'test/site/desk-rights.test.ts',
  'test/operate/demo.test.ts',
  'packages/embedded-mongo/src/mongo.test.ts',
  'test/operate/jobs.test.ts',
  'test/operate/rebuild.test.ts',
  'test/site/pages.test.ts',
  'test/operate/import-runs.test.ts',
  'test/record/proven-changes.test.ts',
  'test/enterprise/replica.test.ts',
  'test/record/audited-answers.test.ts',
  'test/operate/lists.test.ts',
  'test/record/held-log.test.ts',
  'test/api/broker-updates.test.ts',
  'test/record/model.test.ts',
  'test/record/proven-answers.test.ts',
  'test/operate/follow.test.ts',
  'test/operate/backup.test.ts',
  'test/operate/audit.test.ts',
  'test/record/unknown-log.test.ts',
  'test/operate/day.test.ts',
  'test/record/sequencer.test.ts',
  'test/packages/stability.test.ts',
  'test/enterprise/access.test.ts',
  'test/operate/first-week.test.ts',
  'test/operate/record.test.ts',
  'test/api/history.test.ts',
  'test/service-level/months.test.ts',
  'test/enterprise/independence.test.ts',
  'server/src/operate/cli/consent.test.ts',
  'server/src/operate/backup/restores-any.test.ts',
  'test/observe/rules.test.ts',
  'test/service-level/recompute.test.ts',
  'test/record/restored-log.test.ts',
  'test/operate/migrate.test.ts',
  'test/conformance/conformance.test.ts',
  'test/api/log.test.ts',
  'test/operate/everyday.test.ts',
  'test/enterprise/webhooks.test.ts',
  'test/record/witnesses.test.ts',
  'server/src/operate/cli/reading.test.ts',
  'test/operate/durability.test.ts',
  'test/deploy/production.test.ts',
  'test/operate/import.test.ts',
  'test/costs/reads.test.ts',
  'test/operate/mail.test.ts',
  'test/warnings/warnings.test.ts',
  'test/service-level/outages.test.ts',
  'test/operate/news.test.ts',
  'test/operate/moderation.test.ts',
  'test/operate/people.test.ts',
  'test/operate/complaints.test.ts',
  'test/operate/statements.test.ts',
  'test/hostile/sockets.test.ts',
  'test/service-level/prober.test.ts',
  'test/operate/broker-identity.test.ts',
  'test/packages/consumer/consumer.test.ts',
  'test/packages/consumer/entry-types.test.ts',
  'server/src/features/brokers/statements-any.test.ts',
  'test/operate/registers.test.ts',
  'test/docs/readme.test.ts',
  'test/operate/cli.test.ts',
  'test/packages/audit.test.ts',
  'test/site/phone.test.ts',
  'test/packages/reports.test.ts',
  'test/packages/published.test.ts',
  'test/api/problems.test.ts',
  'test/faults/faults.test.ts',
  'test/operate/drain.test.ts',
  'test/overload/overload.test.ts',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = SLOW.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at < 0 ? SLOW.length : at;
};

/** Runs the slow files of each project first; the others in Vitest's own order. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project.name);
    return [...byProject.values()].flatMap((group) => group.sort((a, b) => rank(a) - rank(b)));
  }
}
