import { BURN_ALERTS, OBJECTIVES, OBJECTIVES_VERSION, type Objectives, type SpeedObjective } from './objectives.ts';

/** An object of OpenSLO: https://github.com/OpenSLO/OpenSLO */
export interface OpenSloObject {
  readonly apiVersion: 'openslo/v1';
  readonly kind: 'Service' | 'DataSource' | 'SLO' | 'AlertPolicy' | 'AlertCondition' | 'AlertNotificationTarget';
  readonly metadata: { readonly name: string; readonly displayName: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

const SERVICE = 'broker-rating';
const RESULTS = 'broker-rating-probers';
const TARGETS = { page: 'on-call', ticket: 'in-the-morning' } as const;

const object = (
  kind: OpenSloObject['kind'],
  [name, displayName]: readonly [string, string],
  spec: OpenSloObject['spec'],
): OpenSloObject => ({ apiVersion: 'openslo/v1', kind, metadata: { name, displayName }, spec });

/** What is read of the results of probers. OpenSLO leaves the words of a query to its source. */
const source = (query: string) => ({ metricSource: { metricSourceRef: RESULTS, spec: { query } } });

const sloOf = (names: readonly [string, string], spec: OpenSloObject['spec']): OpenSloObject =>
  object('SLO', names, {
    ...spec,
    service: SERVICE,
    timeWindow: [{ duration: '1M', calendar: { startTime: '2026-01-01 00:00:00', timeZone: 'UTC' }, isRolling: false }],
  });

const availability = (version: string, { availability: promised }: Objectives): OpenSloObject =>
  sloOf(['availability', `Minutes up, objectives ${version}`], {
    description:
      'A minute is up if more than half of the registered probers say so. Nothing is excluded, and a minute that ' +
      'nobody measured counts as down.',
    indicator: {
      metadata: { name: 'minutes-up', displayName: 'Minutes up' },
      spec: {
        ratioMetric: {
          counter: false,
          good: source('minutes that are up by a majority of the probers with a vote'),
          total: source('minutes'),
        },
      },
    },
    budgetingMethod: 'Timeslices',
    objectives: [{ displayName: 'Up', targetPercent: promised / 10, timeSliceTarget: 1, timeSliceWindow: '1m' }],
    alertPolicies: BURN_ALERTS.flatMap(({ name }) => [{ alertPolicyRef: `burns-${name}` }]),
  });

const speed = (names: readonly [string, string], measured: string, promised: SpeedObjective): OpenSloObject =>
  sloOf(names, {
    indicator: {
      metadata: { name: `${names[0]}-ms`, displayName: `${names[1]}, milliseconds` },
      spec: { thresholdMetric: source(measured) },
    },
    budgetingMethod: 'Occurrences',
    objectives: [
      {
        displayName: `${promised.percentile} % within ${promised.limitMs} ms`,
        op: 'lte',
        value: promised.limitMs,
        targetPercent: promised.percentile,
      },
    ],
  });

const duration = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);

/*
 * A policy of OpenSLO has one condition with one window, so the short window is its `alertAfter`: for that long the
 * long one must be above the rate. The rules for Prometheus look at both windows.
 */
const alerts = (): OpenSloObject[] =>
  BURN_ALERTS.flatMap(({ name, severity, rate, longMinutes, shortMinutes }) => [
    object('AlertCondition', [`burn-rate-${name}`, `Budget burns more than ${rate} times too fast`], {
      severity,
      condition: {
        kind: 'burnrate',
        op: 'gt',
        threshold: rate,
        lookbackWindow: duration(longMinutes),
        alertAfter: duration(shortMinutes),
      },
    }),
    object('AlertPolicy', [`burns-${name}`, `Budget burns: ${name}`], {
      alertWhenNoData: true,
      alertWhenResolved: false,
      alertWhenBreaching: true,
      conditions: [{ conditionRef: `burn-rate-${name}` }],
      notificationTargets: [{ targetRef: TARGETS[severity] }],
    }),
  ]);

/**
 * Returns the objectives that are promised now as objects of OpenSLO v1.
 * @example openSloObjects()[0].kind // 'Service'
 */
export const openSloObjects = (version: string = OBJECTIVES_VERSION): OpenSloObject[] => {
  const objectives = OBJECTIVES[version];
  if (!objectives) throw new RangeError(`there are no objectives ${version}`);
  return [
    object('Service', [SERVICE, 'Broker transparency'], { description: 'Reads, feed, proofs and webhooks.' }),
    object('DataSource', [RESULTS, 'Results of the registered probers'], {
      type: 'broker-transparency',
      connectionDetails: { path: '/transparency/v1/service-level/results/{prober}/{date}' },
    }),
    availability(version, objectives),
    speed(
      ['public-reads', 'Public reads'],
      'time of the check public; of a failed one at least its timeout',
      objectives.publicReads,
    ),
    speed(
      ['enterprise-reads', 'Enterprise reads'],
      'time of the check enterprise; of a failed one at least its timeout',
      objectives.enterpriseReads,
    ),
    speed(['freshness', 'From a commit to the feed'], 'freshnessMs of results', objectives.freshness),
    speed(['webhooks', 'From a commit to its webhook'], 'webhookMs of results', objectives.webhooks),
    ...alerts(),
    object('AlertNotificationTarget', [TARGETS.page, 'Whoever is on call'], { target: 'page' }),
    object('AlertNotificationTarget', [TARGETS.ticket, 'Whoever works in the morning'], { target: 'ticket' }),
  ];
};

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Writes what these objects need of YAML: maps, lists, and scalars, which are written as JSON has them. */
const yaml = (value: object, indent: string): string[] => {
  if (Array.isArray(value))
    return value.flatMap((each: object) => {
      const [first = '', ...more] = yaml(each, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...more];
    });
  return Object.entries(value).flatMap(([key, each]) =>
    isNested(each) ? [`${indent}${key}:`, ...yaml(each, `${indent}  `)] : [`${indent}${key}: ${JSON.stringify(each)}`],
  );
};

/** Returns the same as a YAML stream. */
export const openSloYaml = (version?: string): string =>
  `${openSloObjects(version)
    .map((each) => yaml(each, '').join('\n'))
    .join('\n---\n')}\n`;
