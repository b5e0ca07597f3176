import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest. One of them at the end of a run would keep one worker busy, and the others idle. */
const SLOW = [
  'test/enterprise/replica.test.ts',
  'test/record/witnesses.test.ts',
  'test/operate/jobs.test.ts',
  'test/operate/audit.test.ts',
  'test/record/restored-log.test.ts',
  'test/operate/start.test.ts',
  'test/operate/demo.test.ts',
  'test/packages/audit.test.ts',
  'test/service-level/months.test.ts',
  'test/operate/import-runs.test.ts',
  'test/record/model.test.ts',
  'test/enterprise/access.test.ts',
  'test/operate/first-week.test.ts',
  'test/operate/complaints.test.ts',
  'test/operate/backup.test.ts',
  'test/operate/rebuild.test.ts',
  'test/docs/readme.test.ts',
  'test/packages/consumer/consumer.test.ts',
  'test/enterprise/parts.test.ts',
  'test/api/log.test.ts',
  'test/operate/record.test.ts',
  'test/service-level/outages.test.ts',
  'test/enterprise/media.test.ts',
  'test/operate/day.test.ts',
  'test/enterprise/webhooks.test.ts',
  'test/operate/migrate.test.ts',
  'test/record/forked-log.test.ts',
  'test/hostile/sockets.test.ts',
  'test/warnings/warnings.test.ts',
  'test/deploy/production.test.ts',
  'test/operate/identity.test.ts',
  'test/api/problems.test.ts',
  'test/faults/faults.test.ts',
  'test/operate/drain.test.ts',
  'test/overload/overload.test.ts',
  'packages/embedded-mongo/src/mongo.test.ts',
  'server/src/features/brokers/statements-any.test.ts',
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
