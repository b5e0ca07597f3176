import { connect, type Socket } from 'node:net';
import { bodySizeOf } from '../bench/wire.ts';

/** A request that is under way: when it was due, and when it was written to its socket. */
export interface Call {
  readonly due: number;
  sent: number;
}

/** What becomes of a line. */
export interface Ends {
  /** An answer is whole. `head`: status line and headers. */
  readonly answered: (line: Line, head: string, call: Call) => void;
  readonly closed: (line: Line) => void;
}

/** All connections read into it, one at a time: of an answer only the head is kept. */
const BUFFER = Buffer.allocUnsafe(256 * 1024);
const HEAD_BYTES = 16_384;

/** A connection with one request at a time on it, which costs the caller as little as can be. */
export class Line {
  readonly #socket: Socket;
  readonly #ends: Ends;
  #request: Buffer | undefined;
  #call: Call | undefined;
  #freeSince = 0;
  #head = '';
  /** Bytes that the answer still has; unknown while its head is not whole. */
  #left: number | undefined;

  constructor(port: number, localAddress: string, ends: Ends) {
    this.#ends = ends;
    const onread = {
      buffer: BUFFER,
      callback: (size: number): boolean => {
        this.#read(size);
        return true;
      },
    };
    this.#socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, onread });
    this.#socket.on('connect', () => this.#write());
    this.#socket.on('error', () => {});
    this.#socket.once('close', () => ends.closed(this));
  }

  /** The request that waits for its answer. */
  get call(): Call | undefined {
    return this.#call;
  }

  /** When its last answer was whole. */
  get freeSince(): number {
    return this.#freeSince;
  }

  send(request: Buffer, due: number): void {
    this.#request = request;
    this.#call = { due, sent: Number.NaN };
    if (!this.#socket.connecting) this.#write();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #write(): void {
    if (!this.#call || !this.#request) return;
    this.#socket.write(this.#request);
    this.#call.sent = performance.now();
  }

  #read(size: number): void {
    this.#left = this.#left === undefined ? this.#readHead(size) : this.#left - size;
    const call = this.#call;
    if (this.#left !== 0 || !call) return;
    const head = this.#head;
    this.#head = '';
    this.#left = undefined;
    this.#freeSince = performance.now();
    this.#call = undefined;
    this.#ends.answered(this, head, call);
  }

  #readHead(size: number): number | undefined {
    const before = this.#head.length;
    this.#head += BUFFER.toString('latin1', 0, Math.min(size, HEAD_BYTES));
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    this.#head = this.#head.slice(0, end);
    return end + 4 + bodySizeOf(this.#head) - before - size;
  }
}
