import { candidatesOf, type Source } from '../../platform/statements/statement.rule.ts';
import { type LicenseCheck, requireCompared, saidByRegister } from './check.rule.ts';
import { namedSources } from './provenance.rule.ts';
import { type BrokerRecord, type LicenseRecord, licenseKey } from './record.rule.ts';
import { brokerDifference, resolveBroker } from './resolve.rule.ts';

type Profile = Omit<BrokerRecord, 'licenses'>;
type Facts = { readonly profile: Profile; readonly licenses: readonly LicenseRecord[] };

/**
 * Returns what is published after a check, if editors stated these facts before. Licences keep their order. For tests.
 * @throws DomainError as `requireCompared` does
 */
export const afterCheck = (slug: string, { profile, licenses }: Facts, check: LicenseCheck) => {
  requireCompared(slug, licenses, check);
  const { slug: _, ...fields } = profile;
  const keyed = licenses.map((license) => ({ _id: licenseKey(slug, license), broker: slug, ...license }));
  const said = brokerDifference(null, { profile: { _id: slug, id: 'x', ...fields }, licenses: keyed });
  const register: Source = { kind: 'register', name: check.register };
  const { state } = resolveBroker(
    { _id: 'broker:x', name: slug },
    candidatesOf([
      { version: 1, source: { kind: 'editor', name: 'editor' }, said, asOf: '1970-01-01T00:00:00.000Z', url: null },
      {
        version: 2,
        source: register,
        said: saidByRegister(check, new Map()),
        asOf: check.asOf,
        url: check.source.sourceUrl,
      },
    ]),
  );
  if (state === null) throw new Error('nothing is published');
  const { _id, id, provenance, ...rest } = state.profile;
  const newNames = new Map(
    check.licenses.flatMap(({ compared, newName }) => (newName ? [[compared.entity.legalName, newName] as const] : [])),
  );
  const found = licenses.map((license) => {
    const legalName = newNames.get(license.entity.legalName) ?? license.entity.legalName;
    const key = licenseKey(slug, { ...license, entity: { ...license.entity, legalName } });
    const document = state.licenses.find((one) => one._id === key);
    if (!document) throw new Error(`${key} is not published`);
    const { _id: _key, broker, ...record } = document;
    return record;
  });
  return { profile: { slug, ...rest, provenance: namedSources(provenance) }, licenses: found };
};
