import type { Role } from './policy.rule.ts';

/** The fields of an operator that tell people apart. */
export interface OperatorIdentity {
  readonly name: string;
  readonly role: Role;
  /** Names that this person gave by `--actor` before operators had tokens. */
  readonly formerNames: readonly string[];
  readonly addedAt: Date;
}

/** The person who wants to decide again about a decided case. */
export interface RepeatDecider {
  /** Key of the actor: `operator:alice`. */
  readonly key: string;
  /**
   * Name of the person who has seen the token in use besides its owner, or gave the sign-in alone; undefined if nobody.
   */
  readonly seenBy?: string | undefined;
}

/** The earlier decisions. */
export interface EarlierDecision {
  /** Time of the decision. */
  readonly at: Date;
  /** Such as `the decision to remove that is appealed`. */
  readonly what: string;
  /** All operators, including former ones. */
  readonly known: readonly OperatorIdentity[];
}

/** Compares names without case, so that a capital letter does not make another person. */
const foldName = (name: string): string => name.normalize('NFKC').toLowerCase();

const OPERATOR = /^operator:(.*)$/s;

const parseOperatorName = (key: string): string | undefined => {
  const [, name] = OPERATOR.exec(key) ?? [];
  return name === undefined ? undefined : foldName(name);
};

const isCalled = ({ name, formerNames }: OperatorIdentity, former: string): boolean =>
  foldName(name) === former || formerNames.some((one) => foldName(one) === former);

/** Returns why an operator may not decide again about one earlier decision, or undefined. */
const findSamePersonFault = (
  decider: OperatorIdentity,
  seenBy: string | undefined,
  { what, by, known }: EarlierDecision & { by: string },
) => {
  const former = parseOperatorName(by);
  if (former === undefined) return undefined; // the service itself decided: any person is somebody else
  if (isCalled(decider, former)) return `${decider.name} made ${what}: somebody else has to decide.`;
  const owners = known.filter((person) => isCalled(person, former));
  if (owners.some(({ name }) => name === seenBy))
    return `${seenBy} made ${what}, and gave ${decider.name} this token or sign-in alone: run operator renew, and decide with the new token.`;
  if (owners.length > 0 || decider.role === 'outside') return undefined;
  return (
    `Somebody who called themselves "${former}" made ${what}, before operators had tokens. If it is known who that ` +
    `was: admin operator claim NAME ${JSON.stringify(former)}. Else an outside decider has to decide.`
  );
};

/** Refuses an operator who was added after the decision. A decision from before the first operator excludes nobody. */
const findLateFault = (
  { name, addedAt }: OperatorIdentity,
  { at, what, known }: EarlierDecision,
): string | undefined =>
  addedAt > at && known.some((person) => person.addedAt <= at)
    ? `${name} became an operator after ${what}: somebody who was one before it has to decide.`
    : undefined;

/** A refusal, with its code in the audit trail. */
export interface FourEyesRefusal {
  readonly code: 'same_person' | 'added_later' | 'own_case';
  readonly detail: string;
}

/**
 * Returns why somebody may not decide again about a decided case, or undefined if the deciders are different people.
 * While nobody has a token, only names can be compared.
 * @param actors of the earlier decisions
 */
export const findFourEyesRefusal = (
  { key, seenBy }: RepeatDecider,
  actors: readonly string[],
  earlier: EarlierDecision,
): FourEyesRefusal | undefined => {
  const name = parseOperatorName(key);
  const decider = earlier.known.find((person) => foldName(person.name) === name);
  const same = decider
    ? actors
        .map((by) => findSamePersonFault(decider, seenBy, { ...earlier, by }))
        .find((refusal) => refusal !== undefined)
    : actors.some((by) => foldName(by) === foldName(key))
      ? `${key} made ${earlier.what}: somebody else has to decide (--actor).`
      : undefined;
  if (same !== undefined) return { code: 'same_person', detail: same };
  const late = decider && findLateFault(decider, earlier);
  return late === undefined ? undefined : { code: 'added_later', detail: late };
};
