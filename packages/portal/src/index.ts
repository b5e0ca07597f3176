export type { ApiPart, GuideEntry, Library } from './docs/library.ts';
export { Html, html } from './html.ts';
export { addressIn, LANGUAGES, type Language, languageAt } from './languages.ts';
export { layout } from './layout.ts';
export type { LookAlikes } from './look-alikes.ts';
export type {
  Asked,
  AssetName,
  DirectoryPage,
  DirectoryQuery,
  Fields,
  Page,
  PageContext,
  Rendered,
  Site,
} from './page.ts';
export { definePage } from './page.ts';
export { DOCS_PAGES } from './pages/docs/pages.ts';
export { errorPage } from './pages/error.ts';
export { PAGES } from './pages.ts';
