import type { PropertyClaim } from '../../ledger/statements/statement.rule.ts';
import { filterNamedSources } from './provenance.rule.ts';
import type { BrokerState } from './record.rule.ts';

/** Returns all facts of a broker as one source states them, for tests of what follows from statements. */
export const sayAll = ({ profile, licenses }: BrokerState): PropertyClaim[] => {
  const { _id, id, identity, provenance, ...fields } = profile;
  const plain = licenses.map(({ _id: _key, broker, ...license }) => license);
  const all = { ...fields, provenance: filterNamedSources(provenance), licenses: plain };
  return Object.entries(all).map(([property, value]) => ({ property, value }));
};
