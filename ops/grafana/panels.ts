/** The content of the dashboard. A test checks each expression against a running service. */

const SERVICE = 'job="broker-rating"';
const HERE = `${SERVICE}, instance=~"$instance"`;
const REQUESTS = `${HERE}, http_route!~"/healthz|/readyz|/metrics"`;

export interface PanelQuery {
  readonly expr: string;
  readonly legend: string;
}

export interface PanelSpec {
  readonly title: string;
  /** The content of the panel, and its unusual values. */
  readonly about: string;
  /** A unit of Grafana: s, bytes, percentunit, reqps or short. */
  readonly unit: string;
  readonly queries: readonly PanelQuery[];
  /** Shows one number instead of a graph. */
  readonly single?: true;
}

export interface RowSpec {
  readonly title: string;
  readonly panels: readonly PanelSpec[];
}

const query = (expr: string, legend = ''): PanelQuery => ({ expr, legend });

const perSecond = (metric: string, by = ''): string => `sum${by && ` by (${by}) `}(rate(${metric}[$__rate_interval]))`;

const quantile = (q: number, metric: string, by = ''): string =>
  `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (rate(${metric}[$__rate_interval])))`;

const LATENCY = `http_server_request_duration_seconds_bucket{${REQUESTS}}`;
const MONGO = `db_client_operation_duration_seconds_bucket{${HERE}, db_operation_name!="getMore"}`;

export const ROWS: readonly RowSpec[] = [
  {
    title: 'Goals',
    panels: [
      {
        title: 'Errors within the hour',
        about: 'Share of requests answered by 5xx. The goal is 0.1 % over 30 days.',
        unit: 'percentunit',
        queries: [query(`job:http_server_errors:ratio_rate1h{${SERVICE}}`)],
        single: true,
      },
      {
        title: 'Slow answers within the hour',
        about: 'Share of answers that take more than 250 ms. The goal is 1 %.',
        unit: 'percentunit',
        queries: [query(`job:http_server_slow:ratio_rate1h{${SERVICE}}`)],
        single: true,
      },
      {
        title: 'Ready processes',
        about: 'Those that say 200 to /readyz, of those that answer.',
        unit: 'short',
        queries: [query(`sum(broker_rating_ready{${HERE}})`)],
        single: true,
      },
      {
        title: 'Version',
        about: 'More than one during a release only.',
        unit: 'short',
        queries: [query(`count by (version) (broker_rating_build_info{${HERE}})`, '{{version}}')],
        single: true,
      },
    ],
  },
  {
    title: 'Service level',
    panels: [
      {
        title: 'Up in the month',
        about: 'Share of its minutes in which a majority of the probers found the service up. The promise is 99.9 %.',
        unit: 'percentunit',
        queries: [query(`max(broker_rating_service_level_up_ratio{${HERE}})`)],
        single: true,
      },
      {
        title: 'Minutes left of the error budget',
        about: 'Of the whole month. Below zero the promise is not kept.',
        unit: 'short',
        queries: [query(`min(broker_rating_service_level_budget_left_minutes{${HERE}})`)],
        single: true,
      },
      {
        title: 'Burn rates',
        about: 'How many times faster than the month allows. Alerts at 14.4 (1h and 5m) and 6 (6h and 30m).',
        unit: 'short',
        queries: [
          query(`max by (window) (broker_rating_service_level_burn_rate{${HERE}})`, '{{window}}'),
          query('max by (prober, window) (broker_rating_service_level_burn_rate{prober!=""})', '{{prober}} {{window}}'),
        ],
      },
      {
        title: 'Since the last result of a prober',
        about: 'Some minutes while it measures and delivers.',
        unit: 's',
        queries: [
          query(
            `time() - max by (prober) (broker_rating_service_level_prober_timestamp_seconds{${HERE}})`,
            '{{prober}}',
          ),
        ],
      },
    ],
  },
  {
    title: 'Requests',
    panels: [
      {
        title: 'Requests by route',
        about: 'By the template of the route; unknown paths are one.',
        unit: 'reqps',
        queries: [
          query(perSecond(`http_server_request_duration_seconds_count{${REQUESTS}}`, 'http_route'), '{{http_route}}'),
        ],
      },
      {
        title: 'Requests by status',
        about: '499: the caller left before there was an answer.',
        unit: 'reqps',
        queries: [
          query(
            perSecond(`http_server_request_duration_seconds_count{${REQUESTS}}`, 'http_response_status_code'),
            '{{http_response_status_code}}',
          ),
        ],
      },
      {
        title: 'Latency',
        about: 'Until the answer is written.',
        unit: 's',
        queries: [query(quantile(0.5, LATENCY), 'p50'), query(quantile(0.99, LATENCY), 'p99')],
      },
      {
        title: 'Latency by route, p99',
        about: 'Which route is slow.',
        unit: 's',
        queries: [query(quantile(0.99, LATENCY, 'http_route'), '{{http_route}}')],
      },
      {
        title: 'Where answers come from',
        about:
          'ready: prepared; made: prepared for this request; app: by Express, such as POST, problems and ' +
          'pages; refused: overload, or no HTTP.',
        unit: 'reqps',
        queries: [
          query(
            perSecond(`http_server_request_duration_seconds_count{${REQUESTS}}`, 'answer_source'),
            '{{answer_source}}',
          ),
        ],
      },
      {
        title: 'In flight',
        about: 'Requests that wait for more than bytes that are ready (MAX_IN_FLIGHT).',
        unit: 'short',
        queries: [query(`http_server_active_requests{${HERE}}`, '{{instance}} {{worker}}')],
      },
      {
        title: 'Connections of callers',
        about:
          'Keep-alive ones included, beside how many there is room for (MAX_CONNECTIONS); closed a second ' +
          'for want of places.',
        unit: 'short',
        queries: [
          query(`http_server_open_connections{${HERE}}`, '{{instance}} {{worker}}'),
          query(`max(broker_rating_connections_max{${HERE}})`, 'room'),
          query(perSecond(`broker_rating_connections_closed_total{${HERE}}`, 'reason'), 'closed: {{reason}}'),
        ],
      },
      {
        title: 'Overload',
        about: 'Share of requests that is let in, and refusals a second.',
        unit: 'short',
        queries: [
          query(`min by (instance) (broker_rating_admitted_ratio{${HERE}})`, 'let in {{instance}}'),
          query(perSecond(`broker_rating_overload_refused_total{${HERE}}`, 'instance'), 'refused {{instance}}'),
        ],
      },
    ],
  },
  {
    title: 'Limits and prepared answers',
    panels: [
      {
        title: 'Requests against budgets',
        about: 'Refused: answered by 429.',
        unit: 'reqps',
        queries: [
          query(perSecond(`broker_rating_limiter_requests_total{${HERE}}`, 'limit, outcome'), '{{limit}} {{outcome}}'),
        ],
      },
      {
        title: 'Redis',
        about: 'Counted by each process itself, since Redis did not answer; faults of its connection.',
        unit: 'reqps',
        queries: [
          query(perSecond(`broker_rating_limiter_insured_total{${HERE}}`), 'counted without Redis'),
          query(perSecond(`broker_rating_redis_errors_total{${HERE}}`), 'faults'),
          query(`min(broker_rating_redis_up{${HERE}})`, 'connected'),
        ],
      },
      {
        title: 'Counting on Redis, p99',
        about: 'Part of every request.',
        unit: 's',
        queries: [query(quantile(0.99, `broker_rating_limiter_redis_duration_seconds_bucket{${HERE}}`), 'p99')],
      },
      {
        title: 'Prepared answers',
        about: 'Looked up, by what was found.',
        unit: 'reqps',
        queries: [
          query(perSecond(`broker_rating_prepared_lookups_total{${HERE}}`, 'outcome'), '{{outcome}}'),
          query(perSecond(`broker_rating_prepared_evictions_total{${HERE}}`), 'evicted'),
        ],
      },
      {
        title: 'Memory of prepared answers',
        about: 'Evictions begin at the line (PREPARED_MB).',
        unit: 'bytes',
        queries: [
          query(`broker_rating_prepared_bytes{${HERE}}`, '{{instance}} {{worker}}'),
          query(`max(broker_rating_prepared_max_bytes{${HERE}})`, 'PREPARED_MB'),
        ],
      },
    ],
  },
  {
    title: 'Database',
    panels: [
      {
        title: 'Commands',
        about: 'By name, without those of the change stream.',
        unit: 'reqps',
        queries: [
          query(
            perSecond(
              `db_client_operation_duration_seconds_count{${HERE}, db_operation_name!="getMore"}`,
              'db_operation_name',
            ),
            '{{db_operation_name}}',
          ),
        ],
      },
      {
        title: 'Latency of commands',
        about: 'As the driver sees it.',
        unit: 's',
        queries: [query(quantile(0.5, MONGO), 'p50'), query(quantile(0.99, MONGO), 'p99')],
      },
      {
        title: 'Failed commands',
        about: 'WriteConflict is part of transactions.',
        unit: 'reqps',
        queries: [
          query(
            perSecond(`db_client_operation_failures_total{${HERE}}`, 'db_operation_name, error_type'),
            '{{db_operation_name}} {{error_type}}',
          ),
        ],
      },
      {
        title: 'Connections',
        about: 'Of the pool; waiting ones should be none.',
        unit: 'short',
        queries: [
          query(`sum by (state) (db_client_connections{${HERE}})`, '{{state}}'),
          query(`sum(db_client_connection_pending_requests{${HERE}})`, 'waiting'),
          query(`sum(db_client_connection_max{${HERE}})`, 'may be (per member)'),
        ],
      },
      {
        title: 'Waiting for a connection, p99',
        about: 'A pool that is too small, or commands that are too slow.',
        unit: 's',
        queries: [
          query(quantile(0.99, `db_client_connection_wait_time_seconds_bucket{${HERE}}`), 'p99'),
          query(perSecond(`db_client_connection_failures_total{${HERE}}`, 'reason'), 'in vain: {{reason}}'),
        ],
      },
      {
        title: 'Change stream',
        about: 'How long ago all changes were known. Answers with an Age are given above 1.5 s.',
        unit: 's',
        queries: [query(`broker_rating_change_stream_lag_seconds{${HERE}}`, '{{instance}} {{worker}}')],
      },
      {
        title: 'Change stream: faults and resets',
        about: 'A reset reads all anew: one per start.',
        unit: 'short',
        queries: [
          query(`sum(increase(broker_rating_change_stream_faults_total{${HERE}}[$__rate_interval]))`, 'faults'),
          query(`sum(increase(broker_rating_change_stream_resets_total{${HERE}}[$__rate_interval]))`, 'resets'),
          query(`sum(increase(broker_rating_changes_total{${HERE}}[$__rate_interval]))`, 'changes'),
        ],
      },
    ],
  },
  {
    title: 'Work for people',
    panels: [
      {
        title: 'How urgent',
        about: 'As `broker-rating status` says: 0 fine, 1 worth a look, 2 to be done now.',
        unit: 'short',
        queries: [query(`max by (signal) (broker_rating_signal_level{${HERE}})`, '{{signal}}')],
      },
      {
        title: 'Waiting',
        about: 'Reviews, reports, appeals, complaints and reminders that wait for somebody.',
        unit: 'short',
        queries: [
          query(
            `max by (signal) (broker_rating_signal_value{${HERE}, signal=~"reviews|reports|appeals|complaints-.*|reminders|warnings-.*"})`,
            '{{signal}}',
          ),
        ],
      },
      {
        title: 'Since when the oldest waits',
        about: 'Missing where none does.',
        unit: 's',
        queries: [
          query(
            `time() - max by (signal) (broker_rating_signal_since_timestamp_seconds{${HERE}, signal!~"backup|registers"})`,
            '{{signal}}',
          ),
        ],
      },
      {
        title: 'Bursts, jumps, failing feeds, refused commands',
        about: 'Brokers with a burst of reviews or another score by ten points within the day; each is worth a look.',
        unit: 'short',
        queries: [
          query(
            `max by (signal) (broker_rating_signal_value{${HERE}, signal=~"review-bursts|score-jumps|feeds|operators"})`,
            '{{signal}}',
          ),
        ],
      },
      {
        title: 'Free disk of DATA_DIR',
        about: 'In per cent. Unusual below 15.',
        unit: 'short',
        queries: [query(`min by (instance) (broker_rating_signal_value{${HERE}, signal="disk"})`, '{{instance}}')],
      },
    ],
  },
  {
    title: 'Work in the background',
    panels: [
      {
        title: 'Refresh',
        about: 'Changes of facts that are not in their documents yet.',
        unit: 'short',
        queries: [
          query(`max(broker_rating_due_marks{${HERE}})`, 'marks'),
          query(`max(broker_rating_due_oldest_seconds{${HERE}})`, 'oldest, seconds'),
          query(perSecond(`broker_rating_refresh_failures_total{${HERE}}`), 'failed rounds a second'),
        ],
      },
      {
        title: 'Since the last run of a job',
        about: 'The nightly ones up to a day, the hourly ones up to an hour.',
        unit: 's',
        queries: [
          query(`time() - max by (job_name) (broker_rating_job_finished_timestamp_seconds{${HERE}})`, '{{job_name}}'),
        ],
      },
      {
        title: 'Failures of jobs in a row',
        about: 'They are tried again after half a minute, and then ever later up to an hour.',
        unit: 'short',
        queries: [query(`max by (job_name) (broker_rating_job_failures{${HERE}})`, '{{job_name}}')],
      },
      {
        title: 'Until the next run of a job',
        about: 'Below zero: due, and not taken.',
        unit: 's',
        queries: [
          query(`max by (job_name) (broker_rating_job_next_run_timestamp_seconds{${HERE}}) - time()`, '{{job_name}}'),
        ],
      },
      {
        title: 'Since the last backup and register check',
        about: 'By the command line; missing where there was none.',
        unit: 's',
        queries: [
          query(`time() - max(broker_rating_backup_timestamp_seconds{${HERE}})`, 'backup'),
          query(`time() - max(broker_rating_register_check_timestamp_seconds{${HERE}})`, 'register check'),
        ],
      },
      {
        title: 'Looks at registers that get old',
        about:
          'Until a look at the register of a regulator is too old, the nearest ones. Below zero: stale, in public.',
        unit: 's',
        queries: [
          query(
            `bottomk(10, max by (regulator) (broker_rating_regulator_stale_timestamp_seconds{${HERE}}) - time())`,
            '{{regulator}}',
          ),
        ],
      },
      {
        title: 'Files of published lists',
        about: 'Attempts in a row that brought no good file.',
        unit: 'short',
        queries: [query(`max by (register) (broker_rating_register_file_failures{${HERE}})`, '{{register}}')],
      },
      {
        title: 'Warnings and brokers to look at',
        about:
          'Matches of warnings that nobody has looked at, and brokers of different firms with one number, LEI or domain.',
        unit: 'short',
        queries: [
          query(`max by (state) (broker_rating_warning_matches_open{${HERE}})`, '{{state}}'),
          query(`max by (kind) (broker_rating_broker_alarms{${HERE},clone="true"})`, 'one {{kind}}'),
        ],
      },
      {
        title: 'The record and its log',
        about: 'How long entries wait for a number and for a checkpoint; missing where none does.',
        unit: 's',
        queries: [
          query(`time() - max(broker_rating_record_waiting_since_timestamp_seconds{${HERE}})`, 'waits for a number'),
          query(`time() - max(broker_rating_log_unsigned_since_timestamp_seconds{${HERE}})`, 'waits for a checkpoint'),
          query(`time() - max(broker_rating_log_checkpoint_timestamp_seconds{${HERE}})`, 'since the last checkpoint'),
        ],
      },
      {
        title: 'Witnesses of the log',
        about:
          'Since when each last signed, which it does every hour, and for how long it fails; a contradiction is 1.',
        unit: 's',
        queries: [
          query(
            `time() - max by (witness) (broker_rating_log_cosigned_timestamp_seconds{${HERE}})`,
            '{{witness}} signed',
          ),
          query(
            `time() - max by (witness) (broker_rating_log_witness_failing_since_timestamp_seconds{${HERE}})`,
            '{{witness}} fails',
          ),
          query(`max by (witness) (broker_rating_log_contradicted{${HERE}})`, '{{witness}} contradicts'),
        ],
      },
      {
        title: 'Webhooks of customers',
        about: 'How old the oldest event is that an endpoint has not got yet, by state of the endpoint.',
        unit: 's',
        queries: [query(`max by (state) (broker_rating_webhook_lag_seconds{${HERE}})`, '{{state}}')],
      },
      {
        title: 'Webhooks sent',
        about: 'Events a second, by what came of it, and brokers whose events wait.',
        unit: 'short',
        queries: [
          query(perSecond(`broker_rating_webhook_deliveries_total{${HERE}}`, 'outcome'), '{{outcome}}'),
          query(`max by (state) (broker_rating_webhook_blocked{${HERE}})`, '{{state}}: waiting brokers'),
          query(`max by (state) (broker_rating_webhook_endpoints{${HERE}})`, '{{state}}: endpoints'),
        ],
      },
    ],
  },
  {
    title: 'Mail',
    panels: [
      {
        title: 'Mail that waits',
        about: 'Mails in the outbox, those that failed, and for how long the oldest one waits.',
        unit: 'short',
        queries: [
          query(`max(broker_rating_mail_waiting{${HERE}})`, 'waiting'),
          query(`max(broker_rating_mail_failed{${HERE}})`, 'failed'),
          query(`max(broker_rating_mail_oldest_seconds{${HERE}}) / 60`, 'minutes of the oldest'),
        ],
      },
      {
        title: 'Mail sent',
        about: 'Tries a second, by what came of them.',
        unit: 'short',
        queries: [query(perSecond(`broker_rating_mail_tries_total{${HERE}}`, 'outcome'), '{{outcome}}')],
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Processor',
        about: 'Per process; one is a whole core.',
        unit: 'percentunit',
        queries: [query(`rate(process_cpu_seconds_total{${HERE}}[$__rate_interval])`, '{{instance}} {{worker}}')],
      },
      {
        title: 'Lag of the event loop, p99',
        about: 'A hundredth of a second is the resolution.',
        unit: 's',
        queries: [query(`nodejs_eventloop_lag_p99_seconds{${HERE}}`, '{{instance}} {{worker}}')],
      },
      {
        title: 'Memory',
        about: 'Resident, and the heap in use; the lines are the limits.',
        unit: 'bytes',
        queries: [
          query(`process_resident_memory_bytes{${HERE}}`, 'resident {{instance}} {{worker}}'),
          query(`nodejs_heap_size_used_bytes{${HERE}}`, 'heap {{instance}} {{worker}}'),
          query(`max by (instance) (broker_rating_memory_limit_bytes{${HERE}})`, 'limit {{instance}}'),
          query(`max by (instance) (broker_rating_heap_limit_bytes{${HERE}})`, 'limit of the heap {{instance}}'),
        ],
      },
      {
        title: 'Garbage collection',
        about: 'Share of time.',
        unit: 'percentunit',
        queries: [
          query(perSecond(`nodejs_gc_duration_seconds_sum{${HERE}}`, 'instance, kind'), '{{kind}} {{instance}}'),
        ],
      },
      {
        title: 'Workers',
        about: 'With WORKERS above 1: those that answer, and those that ended.',
        unit: 'short',
        queries: [
          query(`broker_rating_workers{${HERE}}`, 'wanted {{instance}}'),
          query(`broker_rating_workers_answering{${HERE}}`, 'answer {{instance}}'),
          query(`increase(broker_rating_worker_exits_total{${HERE}}[$__rate_interval])`, 'ended {{instance}}'),
        ],
      },
      {
        title: 'Open files and connections',
        about: 'Of those that the system allows.',
        unit: 'percentunit',
        queries: [query(`process_open_fds{${HERE}} / process_max_fds{${HERE}}`, '{{instance}} {{worker}}')],
      },
    ],
  },
];
