import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. Repeated headers are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The body as received, which may be compressed. */
  readonly bytes: Buffer;
  /** Milliseconds from the call to the last byte. */
  readonly ms: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

const parseHead = (text: string): Pick<RawAnswer, 'status' | 'headers'> => {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (!Number.isInteger(status)) throw new Error(`not a status line: ${JSON.stringify(first)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const cut = line.indexOf(':');
    const name = line.slice(0, cut).toLowerCase();
    const value = line.slice(cut + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return { status, headers };
};

/** A TCP connection that can send any bytes. It keeps its own side open after the other side closes. */
export class RawConnection {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    const changed = () => this.#wake();
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      changed();
    });
    for (const event of ['end', 'error', 'close'])
      socket.on(event, () => {
        this.#ended = true;
        changed();
      });
  }

  /** @param from loopback address that the connection comes from */
  static async open(origin: string, from?: string): Promise<RawConnection> {
    const { hostname, port } = new URL(origin);
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      allowHalfOpen: true,
      ...(from === undefined ? {} : { localAddress: from }),
    });
    const connection = new RawConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  /** True if the other side has closed the connection, cleanly or not. */
  get ended(): boolean {
    return this.#ended;
  }

  send(bytes: string | Buffer): void {
    if (this.socket.writable) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** The next answer, without any 100 Continue. Undefined if the connection closes without an answer. */
  async answer({ bodiless = false, timeoutMs = 60_000 } = {}): Promise<RawAnswer | undefined> {
    const start = Date.now();
    const head = await this.#until(timeoutMs, () => {
      const end = this.#received.indexOf(END_OF_HEAD);
      return end < 0 ? undefined : this.#take(end + END_OF_HEAD.length);
    });
    if (head === undefined) return undefined;
    const { status, headers } = parseHead(head.toString('latin1').trimEnd());
    if (status === 100) return this.answer({ bodiless, timeoutMs });
    const length = bodiless || status === 204 || status === 304 ? 0 : Number(headers.get('content-length'));
    const isChunked = headers.get('transfer-encoding') === 'chunked';
    if (!isChunked && !Number.isInteger(length)) throw new Error(`an answer without end: ${head.toString('latin1')}`);
    const bytes = isChunked && !bodiless ? await this.#chunks(timeoutMs) : await this.#bytes(length, timeoutMs);
    return { status, headers, body: bytes.toString(), bytes, ms: Date.now() - start };
  }

  async #chunks(timeoutMs: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (;;) {
      const line = await this.#until(timeoutMs, () => {
        const end = this.#received.indexOf('\r\n');
        return end < 0 ? undefined : this.#take(end + 2);
      });
      const size = Number.parseInt(String(line), 16);
      const chunk = await this.#bytes(size + 2, timeoutMs);
      if (size === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, size));
    }
  }

  async #bytes(count: number, timeoutMs: number): Promise<Buffer> {
    const bytes = await this.#until(timeoutMs, () => (this.#received.length < count ? undefined : this.#take(count)));
    if (bytes === undefined) throw new Error('the connection was closed in the middle of an answer');
    return bytes;
  }

  /** Resolves once the other side has closed the connection. */
  async closed(timeoutMs = 60_000): Promise<void> {
    if ((await this.#until(timeoutMs, () => undefined)) !== undefined) throw new Error('unreachable');
  }

  /**
   * Resolves once the other side has released the connection and resets what still arrives. Until then the connection
   * counts toward the server's limit.
   */
  async gone(timeoutMs = 60_000): Promise<void> {
    for (const end = Date.now() + timeoutMs; !this.socket.destroyed; ) {
      if (Date.now() > end) throw new Error(`the other side still holds the connection after ${timeoutMs} ms`);
      this.send('x');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  #take(count: number): Buffer {
    const taken = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return taken;
  }

  /** Calls `look` on each new chunk and returns what it finds. Undefined if the connection ends first. */
  async #until(timeoutMs: number, look: () => Buffer | undefined): Promise<Buffer | undefined> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = look();
      if (found !== undefined || this.#ended) return found;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, Math.max(0, deadline - Date.now()));
      await promise;
      clearTimeout(timer);
      if (Date.now() >= deadline && look() === undefined && !this.#ended)
        throw new Error(`no answer within ${timeoutMs} ms; so far: ${this.#received.toString('latin1').slice(0, 500)}`);
    }
  }
}
