/** A rule of a collection that a document breaks, as MongoDB reports it in `errInfo`. */
interface BrokenRule {
  readonly operatorName?: string;
  readonly propertyName?: string;
  readonly itemIndex?: number;
  readonly missingProperties?: readonly string[];
  readonly additionalProperties?: readonly string[];
  readonly details?: readonly BrokenRule[] | BrokenRule;
  readonly schemaRulesNotSatisfied?: readonly BrokenRule[];
  readonly propertiesNotSatisfied?: readonly BrokenRule[];
}

const listInnerRules = ({
  details,
  schemaRulesNotSatisfied,
  propertiesNotSatisfied,
}: BrokenRule): readonly BrokenRule[] =>
  [details ?? [], schemaRulesNotSatisfied ?? [], propertiesNotSatisfied ?? []].flat() as BrokenRule[];

const describe = (broken: BrokenRule, place = ''): string[] => {
  const step = broken.propertyName ?? broken.itemIndex;
  const here = step === undefined ? place : `${place}${place === '' ? '' : '.'}${step}`;
  const at = (name: string): string => (here === '' ? name : `${here}.${name}`);
  const own = [
    ...(broken.missingProperties ?? []).map((name) => `${at(name)}: missing`),
    ...(broken.additionalProperties ?? []).map((name) => `${at(name)}: unknown`),
  ];
  const inner = [...own, ...listInnerRules(broken).flatMap((one) => describe(one, here))];
  return inner.length > 0 ? inner : [`${here}: ${broken.operatorName}`];
};

/** The error that the driver throws for a refused write: of one document, or of several. */
interface WriteFault {
  readonly errInfo?: BrokenRule;
  readonly writeErrors?: readonly { readonly err?: { readonly errInfo?: BrokenRule } }[];
}

/**
 * Returns the paths and rules that a refused document breaks, such as `kyc.status: enum`, without any of its values;
 * undefined for another error.
 */
export const describeRefusal = (error: object): string[] | undefined => {
  const { errInfo, writeErrors } = error as WriteFault;
  const broken = errInfo ?? writeErrors?.[0]?.err?.errInfo;
  return broken && describe(broken);
};
