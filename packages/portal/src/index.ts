export type { ApiPart, GuideEntry, Library } from './docs/library.ts';
export type { Follows } from './follows.ts';
export { Html, html } from './html.ts';
export { addressIn, findLanguage, LANGUAGES, type Language } from './languages.ts';
export { layout } from './layout.ts';
export type { LookAlikes } from './look-alikes.ts';
export { toContactHref } from './operator.ts';
export type {
  AssetName,
  DirectoryPage,
  DirectoryQuery,
  FormFields,
  Page,
  PageContext,
  PageRequest,
  PageResponse,
  Site,
} from './page.ts';
export { definePage } from './page.ts';
export { DOCS_PAGES } from './pages/docs/pages.ts';
export { errorPage } from './pages/error.ts';
export { gallery } from './pages/gallery.ts';
export { PAGES } from './pages.ts';
export { type BundledFont, chooseFonts } from './pictures/fonts.rule.ts';
export type { Picture, Shape, TextShape } from './pictures/picture.ts';
export { wrapWords } from './pictures/wrap.rule.ts';
export type { PrivateActions } from './private/actions.ts';
export { FOLLOW_PAGES } from './private/follow/pages.ts';
export { FORM_TOKEN_FIELD } from './private/frame.ts';
export type { PrivateContext, PrivatePage, PrivateResponse, Visitor } from './private/page.ts';
export { PRIVATE_PAGES } from './private/pages.ts';
export { refusedPage } from './private/refused.ts';
export { verifyPage } from './verify/page.ts';
