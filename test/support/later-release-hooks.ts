/** Loads the sources of a later release, which has a second version of the methodology. Used with `--import`. */
import { registerHooks } from 'node:module';

const resolveUrl = (path: string): string => new URL(path, import.meta.url).href;
const SECOND = resolveUrl('./second-methodology.ts');
const REPLACED = new Set(
  ['in-force', 'methodology', 'methodologies'].map((name) => resolveUrl(`../../contract/src/score/${name}.ts`)),
);

registerHooks({
  resolve: (specifier, context, next) => {
    const conditions = [...(context.conditions ?? []), '@broker-transparency/source'];
    const found = next(specifier, { ...context, conditions });
    return REPLACED.has(found.url) && context.parentURL !== SECOND ? { ...found, url: SECOND } : found;
  },
});
