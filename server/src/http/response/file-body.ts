/** The bytes of an answer as they are, such as a page. A handler may answer with it; no contract is held to it. */
export class FileBody {
  readonly bytes: Buffer;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(bytes: Buffer, contentType: string, headers: Readonly<Record<string, string>>) {
    this.bytes = bytes;
    this.contentType = contentType;
    this.headers = headers;
  }
}

/** What a file is called and how it is shown. */
interface FileHead {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file in the place of the value that the contract names. */
export const fileBody = <Value>(text: string, { contentType, headers }: FileHead): Value =>
  new FileBody(Buffer.from(text), contentType, headers) as unknown as Value;
