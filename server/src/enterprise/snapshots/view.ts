import { PLANS, type SnapshotList, type SnapshotManifest } from '@broker-transparency/contract/enterprise';
import { ERASURE_TERM } from '@broker-transparency/kernel';
import type { Customer } from '../access/customer.ts';
import type { CoveringPart } from '../feed/page.rule.ts';
import { coveringView } from '../feed/page.rule.ts';
import type { StoredManifest } from './folder.ts';

export const summaryView = ({
  number,
  time,
  builtAt,
  entries,
  tree,
}: StoredManifest): SnapshotList['data'][number] => ({
  number,
  time,
  builtAt,
  entries,
  tree,
});

/** Returns a customer's view of a snapshot. */
export const manifestView = (
  manifest: StoredManifest,
  signed: CoveringPart | undefined,
  { plan, agreement }: Customer,
): SnapshotManifest => ({
  ...summaryView(manifest),
  hashes: [...manifest.hashes],
  signed: coveringView(signed),
  counts: { ...manifest.counts },
  files: manifest.files.map(({ keys: _, ...file }) => file),
  terms: { agreement: agreement.version, section: PLANS[plan].terms.section, erasure: ERASURE_TERM },
});
