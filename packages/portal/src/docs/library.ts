import type { OpenApiDocument } from '@broker-transparency/contract/openapi';
import type { Heading } from './markdown.ts';

/** A text of the documentation, without its HTML. */
export interface GuideEntry {
  /** Its name in addresses. */
  readonly name: string;
  readonly title: string;
  /** Its first paragraph. */
  readonly lead: string;
  readonly headings: readonly Heading[];
}

/** A part of the API that this service has, with the document that describes it. */
export interface ApiPart {
  /** Its name in addresses: `api`, `record`, `enterprise`. */
  readonly name: string;
  /** Address of the document. */
  readonly path: string;
  readonly document: OpenApiDocument;
}

/** What the documentation is made of. Each thing is read or made when it is first asked for. */
export interface Library {
  readonly guides: () => readonly GuideEntry[];
  /** The HTML of a guide, below its title. */
  readonly guide: (name: string) => string | undefined;
  readonly apis: () => readonly ApiPart[];
}
