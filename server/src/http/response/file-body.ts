/** The bytes of a file, such as a page. A handler may answer with it; it is not checked against a contract. */
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

/** Media type and headers of a file. */
interface FileHead {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns a file in place of the value that the contract names. */
export const fileBody = <Value>(text: string, { contentType, headers }: FileHead): Value =>
  new FileBody(Buffer.from(text), contentType, headers) as unknown as Value;
