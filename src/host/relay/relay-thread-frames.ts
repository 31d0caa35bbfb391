/** Messages between the host and the embedded relay's thread. */
import type { AppError } from '../../contract/errors.ts';
import type { HostedRelay } from './open-relay.ts';

export interface RelayThreadData {
  readonly file: string;
  /** 0 for any free port. */
  readonly port: number;
}

export type ThreadLogLevel = 'debug' | 'info' | 'warn' | 'error';
export type RelayMethod = Exclude<keyof HostedRelay, 'url' | 'port'>;

export interface ToRelayThread {
  readonly id: number;
  readonly method: RelayMethod;
  readonly args: readonly unknown[];
}

export type FromRelayThread =
  | { readonly type: 'started'; readonly url: string; readonly port: number }
  | { readonly type: 'refused'; readonly error: AppError }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'log'; readonly level: ThreadLogLevel; readonly event: string; readonly fields: object };
