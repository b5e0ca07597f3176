import { parser } from '@prometheus-io/lezer-promql';

/** A selector in an expression. */
export interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

type Node = ReturnType<ReturnType<typeof parser.parse>['topNode']['getChildren']>[number];

const listNames = (node: Node, kind: string, text: string): string[] => {
  const names: string[] = [];
  node.cursor().iterate((at) => {
    if (at.name === kind) names.push(text.slice(at.from, at.to));
  });
  return names;
};

/**
 * Metrics and labels of a PromQL expression, by Prometheus's own grammar.
 * @throws Error where the expression is invalid
 */
export const readExpression = (text: string): { selectors: Selector[]; groupedBy: string[] } => {
  const selectors: Selector[] = [];
  const groupedBy: string[] = [];
  parser.parse(text).iterate({
    enter: ({ name, node, from }) => {
      if (name === '⚠') throw new Error(`no PromQL at ${from}: ${text}`);
      if (name === 'GroupingLabels') groupedBy.push(...listNames(node, 'LabelName', text));
      if (name !== 'VectorSelector') return;
      selectors.push({
        metric: listNames(node, 'Identifier', text)[0] ?? '',
        labels: listNames(node, 'LabelName', text),
      });
    },
  });
  return { selectors, groupedBy };
};
