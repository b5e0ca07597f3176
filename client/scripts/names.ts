/** Turns `brokers.list` into `BrokersList`, and `broker_not_found` into `BrokerNotFound`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Returns a documentation comment with an indent. */
export const comment = (lines: readonly string[], indent = ''): string =>
  lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`).join('\n')}\n${indent} */\n`;
