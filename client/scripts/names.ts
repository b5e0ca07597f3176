/** `brokers.list` and `broker_not_found` become `BrokersList` and `BrokerNotFound`. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A documentation comment at some indent. */
export const comment = (lines: readonly string[], indent = ''): string =>
  lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`).join('\n')}\n${indent} */\n`;
