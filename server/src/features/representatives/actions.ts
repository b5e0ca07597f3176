import { actorKey } from '../../ledger/audit/store.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { findProfiles, requireBroker } from '../brokers/facts.ts';
import { noteEnded } from '../erasures/ended.ts';
import { hashCode, mailAddress, maskedAddress, newCode } from '../notices/address.rule.ts';
import { removeInvitation, sendInvitation } from '../notices/invitations.ts';
import { createRandomId } from '../notices/tell.ts';
import { requireAnotherPerson } from '../operators/authorise.ts';
import { findRegulator } from '../regulators/facts.ts';
import { ADDRESS_FAULTS, findAddressFault, type RegisterAddress } from './address.rule.ts';
import { CODE_LASTS_DAYS, type Ending, MOST_REPRESENTATIVES } from './policy.rule.ts';
import { requireRepresentativeMove } from './status.rule.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;

const toAuditSubject = (id: string) => ({ kind: 'representative', id }) as const;

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/** Requires that the register of a regulator gives the address. @throws DomainError invalid_input */
const requireRegisterAddress = async (
  c: TxContext,
  keys: readonly string[],
  { address, register, place }: RegisterAddress,
): Promise<void> => {
  const regulator = (await findRegulator(c.db, register)) ?? undefined;
  const profiles = await findProfiles(keys, c.tx);
  const domains = profiles.flatMap((profile) => [profile.website, ...profile.domains]);
  const fault = findAddressFault({ address, place }, { regulator, domains });
  if (fault !== undefined) throw new DomainError('invalid_input', ADDRESS_FAULTS[fault]);
};

/**
 * Names an address that a regulator's register gives for a broker. Nothing goes there until a second operator confirms
 * it. Returns the id.
 * @throws DomainError broker_not_found, invalid_input, state_conflict
 */
export const requestRepresentative = async (
  context: Context,
  slug: string,
  given: RegisterAddress,
): Promise<string> => {
  const { key, keys } = await requireBroker(context.db, slug);
  const asked = { ...given, register: given.register.toLowerCase(), place: given.place.trim() };
  return inTransaction(context, async (c) => {
    await requireRegisterAddress(c, keys, asked);
    const address = mailAddress(asked.address) as string;
    const standing = await store.findStanding(keys, c.tx);
    if (standing.length >= MOST_REPRESENTATIVES)
      throw conflict(`${standing.length} people answer for "${slug}" already: end one of them first.`);
    const same = standing.find((one) => one.address?.toLowerCase() === address.toLowerCase());
    if (same) throw conflict(`${address} is ${same.status} already as ${same._id}. To start again, end that first.`);
    const { register, place } = asked;
    const by = { requestedBy: actorKey(c.actor), requestedAt: c.now };
    const id = createRandomId('rp');
    await store.insertRepresentative(
      { _id: id, broker: key, status: 'requested', address, register, place, ...by },
      c.tx,
    );
    const after = { status: 'requested', broker: key, register };
    c.audit('representative.requested', toAuditSubject(id), { before: null, after, reason: 'operator_command' });
    return id;
  });
};

/** @throws DomainError not_found */
const requireRepresentative = async (c: TxContext, id: string): Promise<store.RepresentativeDocument> => {
  const found = await store.findRepresentative(c.db, id, c.tx);
  if (found) return found;
  throw new DomainError('not_found', `No representative has the id "${id}". See: representative list`);
};

/** Makes the code with which somebody begins to answer for a broker. Only its hash and its end are stored. */
const makeCode = ({ now }: TxContext) => {
  const code = newCode();
  return { code, codeHash: hashCode(code), codeEndsAt: new Date(now.getTime() + CODE_LASTS_DAYS * DAY_MS) };
};

/**
 * Confirms as a second operator that the register gives the address, and sends a code there. Returns the address.
 * @throws NeedsAnother for whoever named the address
 * @throws DomainError not_found, invalid_input, state_conflict
 */
export const confirmRepresentative = (context: Context, id: string): Promise<string> =>
  inTransaction(context, async (c) => {
    const {
      broker,
      status,
      address = '',
      register,
      place,
      requestedBy,
      requestedAt,
    } = await requireRepresentative(c, id);
    requireRepresentativeMove(id, status, 'confirmed');
    await requireAnotherPerson(c, [requestedBy], { at: requestedAt, what: `the request ${id}` });
    await requireRegisterAddress(c, [broker], { address, register, place });
    const { code, codeHash, codeEndsAt } = makeCode(c);
    await sendInvitation(c, { id, email: address, broker, code, codeHash, endsAt: codeEndsAt });
    const by = { confirmedBy: actorKey(c.actor), confirmedAt: c.now };
    await store.changeRepresentative(id, { status: 'confirmed', ...by, codeHash, codeEndsAt }, c.tx);
    const change = { before: { status }, after: { status: 'confirmed' }, reason: 'register_checked' };
    c.audit('representative.confirmed', toAuditSubject(id), change);
    return address;
  });

/** Ends a representative, in the caller's transaction. @throws DomainError state_conflict */
export const closeRepresentative = async (
  c: TxContext,
  { _id: id, status, address }: store.RepresentativeDocument,
  ending: Ending,
): Promise<void> => {
  requireRepresentativeMove(id, status, 'ended');
  await removeInvitation(c, id);
  const erased = ending === 'person_erased';
  const shown = erased || address === undefined ? undefined : maskedAddress(address);
  const set = { status: 'ended', ending, endedAt: c.now, address: shown, codeHash: undefined } as const;
  await store.changeRepresentative(id, { ...set, ...(erased ? { accountId: undefined } : {}) }, c.tx);
  if (!erased) await noteEnded(c, [id], 'requested');
  const change = { before: { status }, after: { status: 'ended', ending }, reason: ending };
  c.audit('representative.ended', toAuditSubject(id), change);
};

/** Ends a representative, or declines a request, at once. @throws DomainError not_found, state_conflict */
export const endRepresentative = (context: Context, id: string): Promise<store.RepresentativeDocument> =>
  inTransaction(context, async (c) => {
    const found = await requireRepresentative(c, id);
    await closeRepresentative(c, found, found.status === 'requested' ? 'declined' : 'by_operator');
    return found;
  });

/** Stands in a demo for the place in a register. */
const DEMO_PLACE = 'demo (fictional)';

/**
 * In a demo: makes a code with which anybody answers for a broker, and ends the one of before. It goes to no address.
 * @throws DomainError broker_not_found
 */
export const mintDemoCode = async (context: Context, slug: string): Promise<string> => {
  const { key, keys } = await requireBroker(context.db, slug);
  return inTransaction(context, async (c) => {
    const earlier = (await store.findStanding(keys, c.tx)).filter(
      ({ place, status }) => place === DEMO_PLACE && status === 'confirmed',
    );
    for (const one of earlier) await closeRepresentative(c, one, 'by_operator');
    const { code, ...kept } = makeCode(c);
    const id = createRandomId('rp');
    const by = {
      requestedBy: actorKey(c.actor),
      requestedAt: c.now,
      confirmedBy: actorKey(c.actor),
      confirmedAt: c.now,
    };
    const named = { register: 'demo', place: DEMO_PLACE, ...kept };
    await store.insertRepresentative({ _id: id, broker: key, status: 'confirmed', ...named, ...by }, c.tx);
    c.audit('representative.confirmed', toAuditSubject(id), {
      before: null,
      after: { status: 'confirmed', broker: key },
      reason: 'demo',
    });
    return code;
  });
};

/** Representatives that a run of the job ends at most. */
const MOST_A_RUN = 1000;

/** Ends those whose code nobody used in time, and forgets their addresses. Returns their number. */
export const endUnused = async (context: Context, signal: AbortSignal): Promise<number> => {
  let ended = 0;
  for (const id of await store.findUnused(context.db, context.clock(), MOST_A_RUN)) {
    signal.throwIfAborted();
    await inTransaction(context, async (c) => {
      const found = await requireRepresentative(c, id);
      if (found.status !== 'confirmed') return; // the code was used, or an operator was faster
      await closeRepresentative(c, found, 'code_unused');
      ended++;
    });
  }
  return ended;
};

/** @throws DomainError state_conflict, the same for every code that cannot be used */
const refuseCode = (): never => {
  throw conflict(
    `This code is wrong, was used, or is older than ${CODE_LASTS_DAYS} days. Ask the operator of this site for a new one.`,
  );
};

/**
 * Lets the person of an account answer for the broker of a code. Returns the key of the broker.
 * @throws DomainError state_conflict
 */
export const claimRepresentative = (context: Context, accountId: string, code: string): Promise<string> =>
  inTransaction(context, async (c) => {
    const found = await store.findByCode(hashCode(code), c.tx);
    if (found?.status !== 'confirmed' || !found.codeEndsAt || found.codeEndsAt <= c.now) return refuseCode();
    const { _id: id, broker, status } = found;
    const active = await store.findActive(c.db, accountId, c.tx);
    if (active.some((one) => one.broker === broker)) throw conflict('You answer for this firm already.');
    await removeInvitation(c, id);
    const set = { status: 'active', accountId, claimedAt: c.now, codeHash: undefined } as const;
    await store.changeRepresentative(id, set, c.tx);
    const change = { before: { status }, after: { status: 'active' }, reason: 'code_given' };
    c.audit('representative.claimed', toAuditSubject(id), change);
    return broker;
  });

/** Lets a person give up to answer for a broker. @throws DomainError not_found */
export const resignRepresentative = (context: Context, accountId: string, slug: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const { keys } = await requireBroker(c.db, slug);
    const active = await store.findActive(c.db, accountId, c.tx);
    const own = active.filter(({ broker }) => keys.includes(broker));
    if (own.length === 0) throw new DomainError('not_found', 'You do not answer for this firm.');
    for (const one of own) await closeRepresentative(c, one, 'by_person');
  });
