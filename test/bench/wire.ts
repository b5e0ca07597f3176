import { connect, type Socket } from 'node:net';

export interface WireResponse {
  readonly status: number;
  /** Bytes of the body. */
  readonly size: number;
}

/**
 * Length of the body that follows this head, in bytes.
 * @throws Error where the head does not state it
 */
export const readBodySize = (head: string): number => {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without Content-Length:\n${head}`);
  return Number(length);
};

/** The first complete answer in these bytes, and where it ends. Undefined if it is incomplete. */
export const parseResponse = (bytes: Buffer): (WireResponse & { readonly end: number }) | undefined => {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const size = status === 304 ? 0 : readBodySize(head);
  const end = headEnd + 4 + size;
  return bytes.length < end ? undefined : { status, size, end };
};

/** A kept-alive connection with one request at a time. */
export class Connection {
  readonly #socket: Socket;
  #bytes: Buffer | undefined;
  #onAnswer: ((answer: WireResponse) => void) | undefined;

  private constructor(socket: Socket, onLost: (error: Error) => void) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#read(chunk);
      } catch (error) {
        onLost(error as Error);
      }
    });
    socket.on('error', onLost);
    socket.on('close', () => onLost(new Error('the server closed a connection')));
  }

  /** Opens a connection from an address of its own, so that no budget per address is used up. */
  static open(port: number, index: number, onLost: (error: Error) => void): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${index + 1}` });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket, onLost));
      });
    });
  }

  send(request: Buffer, onAnswer: (answer: WireResponse) => void): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.removeAllListeners();
    this.#socket.on('error', () => {}); // ignores a reset after closing
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#bytes = this.#bytes ? Buffer.concat([this.#bytes, chunk]) : chunk;
    const answer = parseResponse(this.#bytes);
    if (!answer) return;
    if (answer.end !== this.#bytes.length) throw new Error('more bytes than the answer has');
    this.#bytes = undefined;
    this.#onAnswer?.(answer);
  }
}
