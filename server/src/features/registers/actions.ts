import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { stateVerified } from '../regulators/actions.ts';
import {
  DROPPED_KEPT,
  type DropReason,
  FORMER_KEPT,
  type KeptFile,
  NO_VALIDATORS,
  type Validators,
} from './policy.rule.ts';
import * as store from './store.ts';

export const { findRegister, listRegisters, saveFailure: noteFailure, saveWait: noteWait } = store;

/** Ends the wait of a list, if it waits for a person. */
export const settleWait = (db: Db, name: string): Promise<void> => store.saveWait(db, name, null);

/** A published list: its name and its page. */
export interface PublishedList {
  readonly name: string;
  readonly page: string;
  /** True if it is a register of licences, so that reading its file counts as a check of the register. */
  readonly isRegister: boolean;
  /** True if it lists every holder of a licence, so that a firm that is missing has none. */
  readonly listsAll: boolean;
}

const toAuditFacts = (file: KeptFile | null) =>
  file && { sha256: file.sha256, entries: file.entries, asOf: file.asOf, origin: file.origin };

/** States that the registers of the regulators in a file were checked; null withdraws that. */
const recordLook = async (
  c: TxContext,
  list: PublishedList,
  codes: readonly string[],
  at: Date | null,
): Promise<void> => {
  const { name: register, page: url, listsAll } = list;
  if (list.isRegister) await stateVerified(c, codes, { register, url, at, listsAll });
};

const NOTHING = { current: null, former: [], dropped: [], ...NO_VALIDATORS, checkedAt: null, triedAt: null };

/** Keeps a good file as the current one, and a limited number of earlier files. Returns the files to delete. */
export const keepFile = (
  context: Context,
  list: PublishedList,
  file: KeptFile,
  validators: Validators,
): Promise<readonly KeptFile[]> =>
  inTransaction(context, async (c) => {
    const state = (await store.findRegister(c.db, list.name, c.tx)) ?? { _id: list.name, ...NOTHING };
    const others = [...(state.current ? [state.current] : []), ...state.former].filter(
      ({ sha256 }) => sha256 !== file.sha256,
    );
    await store.saveRegister(
      {
        _id: list.name,
        current: file,
        former: others.slice(0, FORMER_KEPT),
        dropped: state.dropped.filter((sha256) => sha256 !== file.sha256),
        etag: validators.etag,
        lastModified: validators.lastModified,
        checkedAt: file.keptAt,
        triedAt: file.keptAt,
        failures: 0,
        lastError: null,
      },
      c.tx,
    );
    if (state.current?.sha256 !== file.sha256)
      c.audit(
        'register.kept',
        { kind: 'register', id: list.name },
        { before: toAuditFacts(state.current), after: toAuditFacts(file), reason: 'register_file' },
      );
    await recordLook(c, list, file.regulators, new Date(file.asOf));
    return others.slice(FORMER_KEPT);
  });

/** Records that the publisher's file is unchanged. Returns the current file. @throws DomainError state_conflict */
export const confirmFile = (context: Context, list: PublishedList): Promise<KeptFile> =>
  inTransaction(context, async (c) => {
    const state = await store.findRegister(c.db, list.name, c.tx);
    if (!state?.current) throw new DomainError('state_conflict', `The list ${list.name} no longer has a file.`);
    const current = state.current.isDated ? state.current : { ...state.current, asOf: c.now.toISOString() };
    const tried = { checkedAt: c.now, triedAt: c.now, failures: 0, lastError: null };
    await store.saveRegister({ ...state, current, ...tried }, c.tx);
    await recordLook(c, list, current.regulators, new Date(current.asOf));
    return current;
  });

/** Records that an operator compared our licences with a register's file, which is not kept. */
export const recordComparison = (
  context: Context,
  list: PublishedList,
  codes: readonly string[],
  at: Date,
): Promise<void> => inTransaction(context, (c) => recordLook(c, list, codes, at));

/** Drops the current file for the one before it, if there is one. Returns both. @throws DomainError not_found */
export const dropFile = (context: Context, list: PublishedList, reason: DropReason) =>
  inTransaction(context, async (c) => {
    const state = await store.findRegister(c.db, list.name, c.tx);
    if (!state?.current) throw new DomainError('not_found', `The list ${list.name} has no file.`);
    const [current = null, ...former] = state.former;
    const checkedAt = current?.keptAt ?? null;
    const dropped = [state.current.sha256, ...state.dropped].slice(0, DROPPED_KEPT);
    await store.saveRegister({ ...state, current, former, dropped, ...NO_VALIDATORS, checkedAt, waits: null }, c.tx);
    c.audit(
      'register.dropped',
      { kind: 'register', id: list.name },
      { before: toAuditFacts(state.current), after: toAuditFacts(current), reason },
    );
    await recordLook(c, list, state.current.regulators, null);
    if (current) await recordLook(c, list, current.regulators, new Date(current.asOf));
    return { dropped: state.current, current };
  });
