import { enterpriseModule } from './enterprise/module.ts';
import { FEATURE_MODULES, type FeatureModule } from './features/modules.ts';
import { intakeModule } from './intake/module.ts';
import type { Module } from './ledger/define-module.ts';
import { ledgerModule } from './ledger/module.ts';
import { operateModule } from './operate/module.ts';
import { publishedModule } from './published/module.ts';

/** The capabilities beside the features. Only features have parts that are read from `FEATURE_MODULES`. */
type OtherModule = Module & {
  readonly [Part in 'needs' | 'personalData' | 'recordSource' | 'importKinds']?: undefined;
};
const above = [publishedModule, enterpriseModule, intakeModule, operateModule] as const satisfies OtherModule[];

/** Every capability of the service, from the ground up. */
export const MODULES: readonly Module[] = [ledgerModule satisfies OtherModule, ...FEATURE_MODULES, ...above];

/** Loads the models of all collections, so that the database can get their indexes. */
export const loadModels = async (): Promise<void> => {
  await Promise.all(MODULES.map(({ models }) => models?.()));
};

/** Intersection of the members of a union. */
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer A) => void ? A : never;
type RouteMaker = Awaited<
  ReturnType<Extract<FeatureModule | (typeof above)[number], { readonly routes: unknown }>['routes']>
>;

/**
 * Loads the handlers of all routes, by API. Their type is that of all modules together, so that the compiler requires
 * a handler for each route of a contract.
 * @throws Error if two modules have handlers for the same resource
 */
export const loadRoutes = async (
  parts: Intersection<Parameters<RouteMaker>[0]>,
): Promise<Intersection<ReturnType<RouteMaker>>> => {
  const apis: Record<string, object> = {};
  for (const { routes } of MODULES)
    for (const [api, handlers] of Object.entries((await routes?.())?.(parts as never) ?? {})) {
      const taken = Object.keys(handlers).find((resource) => resource in (apis[api] ?? {}));
      if (taken !== undefined) throw new Error(`two modules have handlers for ${taken} of the API ${api}`);
      apis[api] = { ...apis[api], ...handlers };
    }
  return apis as Intersection<ReturnType<RouteMaker>>;
};
