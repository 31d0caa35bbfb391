/** Port of a connection by the Agent Client Protocol, version 1. Its messages are parsed by `acp-messages.ts`. */
import type { HarnessProcess } from '../harness-ports.ts';

export interface AcpHandlers {
  /** Parameters of `session/update`, as the program sent them. */
  update(params: unknown): void;
  /** Parameters of `session/request_permission`. */
  permission(params: unknown): Promise<AcpPermissionOutcome>;
}

export type AcpPermissionOutcome =
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'selected'; readonly optionId: string };

/** A refused request: `code` and `message` of JSON-RPC; `code` 0 if the program ended instead. */
export interface AcpRefusal {
  readonly code: number;
  readonly message: string;
}

export type AcpAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: AcpRefusal };

export type AcpRequestName =
  | 'initialize'
  | 'session/new'
  | 'session/load'
  | 'session/prompt'
  | 'session/set_mode';

export interface AcpConnection {
  request(method: AcpRequestName, params: object): Promise<AcpAnswer>;
  cancel(sessionId: string): void;
  /** Resolves when the output of the program ends. */
  readonly closed: Promise<void>;
}

/** Reads the output of a process and writes to its input. Lines that are no messages are skipped. */
export type ConnectAcp = (
  process: Pick<HarnessProcess, 'lines' | 'write'>,
  handlers: AcpHandlers,
) => AcpConnection;
