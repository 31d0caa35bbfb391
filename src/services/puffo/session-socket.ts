/** Opens an account's socket with a current subkey, and renews a subkey that the server refused. */
import type { Clock, CryptoEngine, Random } from '../../core/ports.ts';
import type { ServerFrame } from '../../core/puffo/wire.ts';
import type { ServerDirectory } from './directory.ts';
import type { RequestError } from './request-error.ts';
import { openSocket, type PuffoSocket } from './socket.ts';
import type { Subkeys } from './subkeys.ts';

export interface SessionSocketDeps {
  readonly slug: string;
  readonly directory: Pick<ServerDirectory, 'transport' | 'wheel'>;
  readonly subkeys: Subkeys;
  readonly crypto: CryptoEngine;
  readonly clock: Clock;
  readonly random: Random;
}

export type OpenedSocket =
  | { readonly type: 'open'; readonly socket: PuffoSocket }
  /** `mending` is true if a new subkey was made, so the next attempt may succeed. */
  | { readonly type: 'failed'; readonly error: RequestError; readonly mending: boolean }
  | { readonly type: 'aborted' };

export interface FrameSink {
  frame(frame: ServerFrame, bytes: number): void;
  /** Called for a frame that does not parse. */
  oddFrame(why: string): void;
}

const failed = (error: RequestError, mending = false): OpenedSocket => ({ type: 'failed', error, mending });

export class SessionSocket {
  readonly #deps: SessionSocketDeps;
  readonly #instance: string;

  constructor(deps: SessionSocketDeps) {
    this.#deps = deps;
    this.#instance = deps.random.uuid();
  }

  async open(on: FrameSink, signal: AbortSignal): Promise<OpenedSocket> {
    const { directory, subkeys, slug, crypto, clock, random } = this.#deps;
    const session = await subkeys.current();
    if (!session.ok) return failed(session.error);
    if (signal.aborted) return { type: 'aborted' };
    const options = {
      url: directory.transport.socketUrl('/subscribe'),
      slug,
      session: session.value,
      crypto,
      clock,
      random,
      wheel: directory.wheel,
      instance: this.#instance,
      onFrame: on.frame,
      onOddFrame: on.oddFrame,
    };
    const socket = await openSocket(options, signal);
    if (socket.ok) return { type: 'open', socket: socket.value };
    if (socket.error.code !== 'unauthenticated' || signal.aborted) return failed(socket.error);
    const renewed = await subkeys.refused(session.value);
    return failed(renewed.ok ? socket.error : renewed.error, renewed.ok);
  }
}
