/** Fenced code blocks of a language in a Markdown page. */
export const listBlocks = (page: string, language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, tag, body]) => (tag === language && body ? [body] : []));

/** Commands of a page that call the service and print its answer. A command may span several lines. */
export const listCurls = (page: string): string[] =>
  listBlocks(page, 'sh')
    .flatMap((block) => block.replace(/^#.*$/gm, '').split(/^(?=curl )/m))
    .filter((command) => command.startsWith('curl ') && !command.includes(' > '));
