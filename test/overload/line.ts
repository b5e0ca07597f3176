import { connect, type Socket } from 'node:net';
import { readBodySize } from '../bench/wire.ts';

/** A pending request, with the times at which it was due and was written to its socket. */
export interface PendingRequest {
  readonly due: number;
  sent: number;
}

/** Callbacks for the events of a line. */
export interface ConnectionEvents {
  /** Called when an answer is complete. `head` holds the status line and the headers. */
  readonly answered: (line: CallerConnection, head: string, call: PendingRequest) => void;
  readonly closed: (line: CallerConnection) => void;
}

/** All connections share this read buffer, one at a time. Only the head of an answer is kept. */
const BUFFER = Buffer.allocUnsafe(256 * 1024);
const HEAD_BYTES = 16_384;

/** A connection with one pending request at a time, at the lowest possible cost for the caller. */
export class CallerConnection {
  readonly #socket: Socket;
  readonly #ends: ConnectionEvents;
  #request: Buffer | undefined;
  #call: PendingRequest | undefined;
  #freeSince = 0;
  #head = '';
  /** Bytes missing from the answer; undefined until its head is complete. */
  #left: number | undefined;

  constructor(port: number, localAddress: string, ends: ConnectionEvents) {
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
  get call(): PendingRequest | undefined {
    return this.#call;
  }

  /** The time when its last answer was complete. */
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
    return end + 4 + readBodySize(this.#head) - before - size;
  }
}
