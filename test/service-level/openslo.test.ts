import { readFile } from 'node:fs/promises';
import { BURN_ALERTS, OBJECTIVES, OBJECTIVES_VERSION, type Objectives } from '@broker-transparency/service-level';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { openSloObjects, openSloYaml } from '../../ops/service-level/openslo.ts';

const objectives = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;

/* What the specification of OpenSLO v1 requires: https://github.com/OpenSLO/OpenSLO#specification */
const Name = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const Duration = z.string().regex(/^[1-9]\d*[mhdwMQY]$/);
const Description = z.string().max(1050).optional();
const Metadata = z.strictObject({ name: Name, displayName: z.string().optional() });
const Source = z.strictObject({
  metricSource: z.strictObject({ metricSourceRef: Name, spec: z.record(z.string(), z.unknown()) }),
});
const Indicator = z.strictObject({
  metadata: Metadata,
  spec: z.union([
    z.strictObject({ ratioMetric: z.strictObject({ counter: z.boolean(), good: Source, total: Source }) }),
    z.strictObject({ thresholdMetric: Source }),
  ]),
});
const Window = z.strictObject({
  duration: Duration,
  calendar: z.strictObject({
    startTime: z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    timeZone: z.literal('UTC'),
  }),
  isRolling: z.literal(false),
});
const targetPercent = z.number().min(0).lt(100);
const displayName = z.string().optional();
const Slo = z.strictObject({
  description: Description,
  service: Name,
  indicator: Indicator,
  timeWindow: z.tuple([Window]),
  budgetingMethod: z.enum(['Occurrences', 'Timeslices']),
  objectives: z.tuple([
    z.union([
      z.strictObject({
        displayName,
        targetPercent,
        timeSliceTarget: z.number().gt(0).max(1),
        timeSliceWindow: Duration,
      }),
      z.strictObject({ displayName, targetPercent, op: z.enum(['lte', 'gte', 'lt', 'gt']), value: z.number() }),
    ]),
  ]),
  alertPolicies: z.array(z.strictObject({ alertPolicyRef: Name })).optional(),
});
const SPECS = {
  Service: z.strictObject({ description: Description }),
  DataSource: z.strictObject({ type: z.string(), connectionDetails: z.record(z.string(), z.unknown()) }),
  SLO: Slo,
  AlertCondition: z.strictObject({
    severity: z.string(),
    condition: z.strictObject({
      kind: z.literal('burnrate'),
      op: z.literal('gt'),
      threshold: z.number(),
      lookbackWindow: Duration,
      alertAfter: Duration,
    }),
  }),
  AlertPolicy: z.strictObject({
    alertWhenNoData: z.boolean(),
    alertWhenResolved: z.boolean(),
    alertWhenBreaching: z.boolean(),
    conditions: z.tuple([z.strictObject({ conditionRef: Name })]),
    notificationTargets: z.array(z.strictObject({ targetRef: Name })).min(1),
  }),
  AlertNotificationTarget: z.strictObject({ target: z.string() }),
} as const;

const objects = openSloObjects();

describe('the document of OpenSLO', () => {
  test.each(objects.map((each) => [`${each.kind} ${each.metadata.name}`, each] as const))(
    '%s has what the specification requires',
    (_, { apiVersion, kind, metadata, spec, ...more }) => {
      expect([apiVersion, more]).toEqual(['openslo/v1', {}]);
      expect(Metadata.parse(metadata)).toEqual(metadata);
      expect(SPECS[kind].parse(spec)).toEqual(spec);
    },
  );

  test('names nothing that it does not have, and nothing twice', () => {
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    const KINDS: Readonly<Record<string, string>> = {
      service: 'Service',
      metricSourceRef: 'DataSource',
      alertPolicyRef: 'AlertPolicy',
      conditionRef: 'AlertCondition',
      targetRef: 'AlertNotificationTarget',
    };
    const named = [...JSON.stringify(objects).matchAll(/"(\w+)":"([a-z0-9-]+)"/g)].flatMap(([, field = '', name]) =>
      KINDS[field] ? [`${KINDS[field]} ${name}`] : [],
    );
    expect(named.length).toBeGreaterThan(10);
    for (const each of named) expect(names).toContain(each);
  });

  test('says what the objectives say', () => {
    const slos = new Map(
      objects
        .filter(({ kind }) => kind === 'SLO')
        .map(({ metadata, spec }) => [metadata.name, Slo.parse(spec).objectives[0]]),
    );
    expect(slos.get('availability')).toMatchObject({
      targetPercent: objectives.availability / 10,
      timeSliceWindow: '1m',
    });
    const speeds = {
      'public-reads': 'publicReads',
      'enterprise-reads': 'enterpriseReads',
      freshness: 'freshness',
      webhooks: 'webhooks',
    } as const;
    expect([...slos.keys()]).toEqual(['availability', ...Object.keys(speeds)]);
    for (const [name, field] of Object.entries(speeds)) {
      const { percentile, limitMs } = objectives[field];
      expect(slos.get(name)).toMatchObject({ op: 'lte', value: limitMs, targetPercent: percentile });
    }
    const conditions = objects
      .filter(({ kind }) => kind === 'AlertCondition')
      .map(({ spec }) => SPECS.AlertCondition.parse(spec));
    expect(conditions.map(({ condition }) => condition.threshold)).toEqual(BURN_ALERTS.map(({ rate }) => rate));
    expect(conditions.map(({ condition }) => [condition.lookbackWindow, condition.alertAfter])).toEqual([
      ['1h', '5m'],
      ['6h', '30m'],
    ]);
  });
});

test('the OpenSLO document is the one that the objectives make (npx -y pnpm docs:write), and is YAML', async () => {
  const text = await readFile(new URL('../../docs/enterprise/service-level.openslo.yaml', import.meta.url), 'utf8');
  expect(text).toBe(openSloYaml());
  const documents = parseAllDocuments(text);
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  expect(documents.map((document) => document.toJS())).toEqual(openSloObjects());
});
