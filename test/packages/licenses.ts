import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/**
 * Licences allowed for everything installed with the published packages. None of them requires more than attribution.
 */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'Unlicense',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
]);

/** Packages whose licence is not machine-readable, and where it is stated. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'pause@0.0.1': 'MIT, by its Readme.md; passport needs it',
};

interface InstalledPackage {
  readonly name: string;
  readonly versions: readonly string[];
}

/** Returns true if an SPDX expression without nesting offers an allowed choice. */
export const isAllowed = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((license) => ALLOWED.has(license)));

/**
 * Packages from `pnpm licenses list --json` that may not be installed, each with the reason, and exceptions that are no
 * longer needed.
 */
export const findRefusals = (byLicense: Readonly<Record<string, readonly InstalledPackage[]>>): string[] => {
  const others = Object.entries(byLicense).flatMap(([license, packages]) =>
    isAllowed(license)
      ? []
      : packages.flatMap(({ name, versions }) => versions.map((version) => [`${name}@${version}`, license] as const)),
  );
  const names = new Set<string>(others.map(([name]) => name));
  return [
    ...others.filter(([name]) => !(name in EXCEPTIONS)).map(([name, license]) => `${name}: ${license}`),
    ...Object.keys(EXCEPTIONS).flatMap((name) => (names.has(name) ? [] : [`${name}: no exception is needed any more`])),
  ];
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = findRefusals(JSON.parse(await text(process.stdin)));
  for (const line of found) console.error(`licence not allowed: ${line}`);
  if (found.length > 0) process.exitCode = 1;
}
