import { PROBLEM_CODES, PROBLEMS } from '@broker-transparency/contract';
import type { PageContext } from '../page.ts';
import { CONTENTS, type GuideSection, toGuideSlug } from './contents.ts';
import type { LinkList, PageLink } from './frame.ts';
import type { ApiPart } from './library.ts';
import { listCalls, referencePath } from './reference.ts';

/** Returns the title and description of a part of the API. */
export const apiTexts = ({ texts }: PageContext, { name }: Pick<ApiPart, 'name'>): { title: string; lead: string } =>
  texts.docs.apis[name as keyof typeof texts.docs.apis];

/** A part of the guides, with links to them. */
export type GuideList = LinkList & {
  readonly name: GuideSection['name'];
  readonly isForOperators: boolean;
};

/** Returns the guides of each part. */
export const guideLists = ({ texts, library }: PageContext): GuideList[] => {
  const titles = new Map(library.guides().map(({ name, title }) => [name, title]));
  return CONTENTS.map(({ name, guides, isForOperators = false }) => ({
    name,
    isForOperators,
    title: texts.docs.parts[name],
    links: guides
      .map(toGuideSlug)
      .map((guide) => ({ title: titles.get(guide) ?? guide, path: `/docs/guides/${guide}` })),
    isEnglish: true,
  }));
};

/** Returns links to the parts of the reference. */
export const referenceLinks = (context: PageContext): PageLink[] =>
  context.library.apis().map((api) => ({ title: apiTexts(context, api).title, path: referencePath(api) }));

/** Returns links to the calls of a part of the API, by resource. */
export const callLists = (api: ApiPart): LinkList[] => {
  const calls = listCalls(api);
  return api.document.tags.flatMap(({ name }) => {
    const links = calls
      .filter(({ operation }) => operation.tags.includes(name))
      .map((call) => ({ title: call.operation.summary, path: referencePath(api, call) }));
    return links.length === 0 ? [] : [{ title: name, links, isEnglish: true }];
  });
};

/** Returns links to the problems, by code. */
export const problemLinks = (): PageLink[] =>
  PROBLEM_CODES.map((code) => ({ title: PROBLEMS[code].title, path: `/problems/${code}` }));
