import {
  BURN_ALERTS,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
  type SpeedObjective,
} from '@broker-transparency/service-level';

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

const buildObject = (
  kind: OpenSloObject['kind'],
  [name, displayName]: readonly [string, string],
  spec: OpenSloObject['spec'],
): OpenSloObject => ({ apiVersion: 'openslo/v1', kind, metadata: { name, displayName }, spec });

/** Returns a query of the probers' results. OpenSLO leaves the wording of a query to its source. */
const buildSource = (query: string) => ({ metricSource: { metricSourceRef: RESULTS, spec: { query } } });

const buildSlo = (names: readonly [string, string], spec: OpenSloObject['spec']): OpenSloObject =>
  buildObject('SLO', names, {
    ...spec,
    service: SERVICE,
    timeWindow: [{ duration: '1M', calendar: { startTime: '2026-01-01 00:00:00', timeZone: 'UTC' }, isRolling: false }],
  });

const buildAvailability = (version: string, { availability: promised }: Objectives): OpenSloObject =>
  buildSlo(['availability', `Minutes up, objectives ${version}`], {
    description:
      'A minute is up if more than half of the registered probers say so. Nothing is excluded, and a minute that ' +
      'nobody measured counts as down.',
    indicator: {
      metadata: { name: 'minutes-up', displayName: 'Minutes up' },
      spec: {
        ratioMetric: {
          counter: false,
          good: buildSource('minutes that are up by a majority of the probers with a vote'),
          total: buildSource('minutes'),
        },
      },
    },
    budgetingMethod: 'Timeslices',
    objectives: [{ displayName: 'Up', targetPercent: promised / 10, timeSliceTarget: 1, timeSliceWindow: '1m' }],
    alertPolicies: BURN_ALERTS.flatMap(({ name }) => [{ alertPolicyRef: `burns-${name}` }]),
  });

const buildSpeed = (names: readonly [string, string], measured: string, promised: SpeedObjective): OpenSloObject =>
  buildSlo(names, {
    indicator: {
      metadata: { name: `${names[0]}-ms`, displayName: `${names[1]}, milliseconds` },
      spec: { thresholdMetric: buildSource(measured) },
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

const formatDuration = (minutes: number): string => (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);

/*
 * A policy of OpenSLO has one condition with one window, so the short window is its `alertAfter`: for that long the
 * long one must be above the rate. The rules for Prometheus look at both windows.
 */
const buildAlerts = (): OpenSloObject[] =>
  BURN_ALERTS.flatMap(({ name, severity, rate, longMinutes, shortMinutes }) => [
    buildObject('AlertCondition', [`burn-rate-${name}`, `Budget burns more than ${rate} times too fast`], {
      severity,
      condition: {
        kind: 'burnrate',
        op: 'gt',
        threshold: rate,
        lookbackWindow: formatDuration(longMinutes),
        alertAfter: formatDuration(shortMinutes),
      },
    }),
    buildObject('AlertPolicy', [`burns-${name}`, `Budget burns: ${name}`], {
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
    buildObject('Service', [SERVICE, 'Broker transparency'], { description: 'Reads, feed, proofs and webhooks.' }),
    buildObject('DataSource', [RESULTS, 'Results of the registered probers'], {
      type: 'broker-transparency',
      connectionDetails: { path: '/transparency/v1/service-level/results/{prober}/{date}' },
    }),
    buildAvailability(version, objectives),
    buildSpeed(
      ['public-reads', 'Public reads'],
      'time of the check public; of a failed one at least its timeout',
      objectives.publicReads,
    ),
    buildSpeed(
      ['enterprise-reads', 'Enterprise reads'],
      'time of the check enterprise; of a failed one at least its timeout',
      objectives.enterpriseReads,
    ),
    buildSpeed(['freshness', 'From a commit to the feed'], 'freshnessMs of results', objectives.freshness),
    buildSpeed(['webhooks', 'From a commit to its webhook'], 'webhookMs of results', objectives.webhooks),
    ...buildAlerts(),
    buildObject('AlertNotificationTarget', [TARGETS.page, 'Whoever is on call'], { target: 'page' }),
    buildObject('AlertNotificationTarget', [TARGETS.ticket, 'Whoever works in the morning'], { target: 'ticket' }),
  ];
};

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Writes what these objects need of YAML: maps, lists, and scalars, which are written as JSON has them. */
const writeYaml = (value: object, indent: string): string[] => {
  if (Array.isArray(value))
    return value.flatMap((each: object) => {
      const [first = '', ...more] = writeYaml(each, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...more];
    });
  return Object.entries(value).flatMap(([key, each]) =>
    isNested(each)
      ? [`${indent}${key}:`, ...writeYaml(each, `${indent}  `)]
      : [`${indent}${key}: ${JSON.stringify(each)}`],
  );
};

/** Returns the same as a YAML stream. */
export const openSloYaml = (version?: string): string =>
  `${openSloObjects(version)
    .map((each) => writeYaml(each, '').join('\n'))
    .join('\n---\n')}\n`;
