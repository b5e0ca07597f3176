/* What the platforms of these recipes add to the options of `fetch`. There, their own types do this. */
interface RequestInit {
  /** Next.js */
  next?: { revalidate?: number | false; tags?: string[] };
  /** Cloudflare Workers */
  cf?: { cacheEverything?: boolean; cacheTtl?: number };
}
