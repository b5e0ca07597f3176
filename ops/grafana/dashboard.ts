import { ReduceDataOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { type PanelSpec, ROWS } from './panels.ts';

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
/** Width of the dashboard's grid in columns. */
const SIZES = { single: { width: 6, height: 4 }, curve: { width: 8, height: 8 } } as const;

const buildPanel = ({ title, about, unit, queries, single }: PanelSpec) => {
  const { width, height } = single ? SIZES.single : SIZES.curve;
  const last = new ReduceDataOptionsBuilder().calcs(['lastNotNull']);
  const panel = (single ? new StatBuilder().reduceOptions(last).noValue('0') : new TimeseriesBuilder())
    .title(title)
    .description(about)
    .unit(unit)
    .datasource(DATASOURCE)
    .span(width)
    .height(height);
  for (const [at, { expr, legend }] of queries.entries()) {
    const query = new DataqueryBuilder()
      .refId(String.fromCharCode(65 + at))
      .expr(expr)
      .legendFormat(legend || '__auto');
    panel.withTarget(single ? query.instant() : query.range());
  }
  return panel;
};

/** Builds the dashboard with Grafana's own library, in the form that Grafana imports. */
export const createDashboard = (): Dashboard => {
  const dashboard = new DashboardBuilder('Broker rating')
    .uid('broker-rating')
    .tags(['broker-rating'])
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('instance')
        .label('Instance')
        .datasource(DATASOURCE)
        .query('label_values(broker_rating_build_info{job="broker-rating"}, instance)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .multi(true)
        .includeAll(true)
        .allValue('.*'),
    );
  for (const [at, { title, panels }] of ROWS.entries()) {
    dashboard.withRow(new RowBuilder(title).id(at + 1));
    for (const panel of panels) dashboard.withPanel(buildPanel(panel));
  }
  return dashboard.build();
};

export const DASHBOARD_FILE = new URL('broker-rating.json', import.meta.url);
export const renderDashboard = (): string => `${JSON.stringify(createDashboard(), null, 2)}\n`;
