import { pino } from 'pino';

/** A rule of a collection that a document breaks, as MongoDB reports it in `errInfo`. */
interface Broken {
  readonly operatorName?: string;
  readonly propertyName?: string;
  readonly itemIndex?: number;
  readonly missingProperties?: readonly string[];
  readonly additionalProperties?: readonly string[];
  readonly details?: readonly Broken[] | Broken;
  readonly schemaRulesNotSatisfied?: readonly Broken[];
  readonly propertiesNotSatisfied?: readonly Broken[];
}

const within = ({ details, schemaRulesNotSatisfied, propertiesNotSatisfied }: Broken): readonly Broken[] =>
  [details ?? [], schemaRulesNotSatisfied ?? [], propertiesNotSatisfied ?? []].flat() as Broken[];

/** Returns the places and the rules that a document breaks, such as `kyc.status: enum`, without any of its values. */
export const describeRefusal = (broken: Broken, place = ''): string[] => {
  const step = broken.propertyName ?? broken.itemIndex;
  const here = step === undefined ? place : `${place}${place === '' ? '' : '.'}${step}`;
  const at = (name: string): string => (here === '' ? name : `${here}.${name}`);
  const own = [
    ...(broken.missingProperties ?? []).map((name) => `${at(name)}: missing`),
    ...(broken.additionalProperties ?? []).map((name) => `${at(name)}: unknown`),
  ];
  const inner = [...own, ...within(broken).flatMap((one) => describeRefusal(one, here))];
  return inner.length > 0 ? inner : [`${here}: ${broken.operatorName}`];
};

/**
 * Returns what the log says of an error. Errors of the driver also carry documents and values, which may be those of
 * people: they stay out.
 */
export const describeError = (error: Error & { readonly code?: unknown; readonly errInfo?: unknown }): object => {
  const { type, message, stack, aggregateErrors } = pino.stdSerializers.err(error);
  const { code, errInfo } = error;
  return {
    type,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(aggregateErrors && { aggregateErrors }),
    ...(typeof errInfo === 'object' && errInfo ? { refused: describeRefusal(errInfo) } : {}),
  };
};
