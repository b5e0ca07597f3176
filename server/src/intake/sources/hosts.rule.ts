/** Returns the host of each address, lower case, without `www.`; invalid addresses are left out. */
export const parseHosts = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[\s,;|]+/)).flatMap((text) => parseHost(text) ?? [])),
];

const parseHost = (text: string): string | undefined => {
  const bare = text.trim().replace(/[)\].,]+$/, '');
  if (bare.includes('@') || !/^[^\s/]+\.[^\s]{2,}/.test(bare.replace(/^[a-z]+:\/\//i, ''))) return undefined;
  try {
    const { hostname } = new URL(/^[a-z]+:\/\//i.test(bare) ? bare : `http://${bare}`);
    return /^[a-z0-9.-]+\.[a-z0-9-]{2,}$/.test(hostname) ? hostname.replace(/^www\./, '') : undefined;
  } catch {
    return undefined;
  }
};
