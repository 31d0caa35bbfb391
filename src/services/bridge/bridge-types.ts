/** The requests and responses of the local bridge, and its dependencies on the host. */
import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { RuntimeStatus } from '../../core/agents/runtime-status.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';

export interface BridgeRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query exactly as received, because they are signed. */
  readonly target: string;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** A request before its body was read. */
export type BridgeHead = Omit<BridgeRequest, 'body'>;

export interface BridgeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly json: unknown } | { readonly text: string };
}

export const jsonResponse = (status: number, value: unknown): BridgeResponse => ({
  status,
  body: { json: value },
});
export const textResponse = (status: number, value: string): BridgeResponse => ({
  status,
  body: { text: value },
});
export const refusal = (status: number, error: string): BridgeResponse => jsonResponse(status, { error });

/** Parses JSON bytes; `null` if invalid or nested too deeply. */
export type ParseJson = (body: Uint8Array) => { readonly value: unknown } | null;

export interface BridgeAgent {
  readonly id: string;
  readonly folder: string;
  /** The config in force; `null` if its file was never valid, and `error` gives the reason. */
  readonly lastGood: AgentConfig | null;
  readonly error: { readonly message: string } | null;
  /** Requested by a file below `.puffo-agent/`. */
  readonly requests: readonly string[];
}

export interface AdoptedAgent {
  readonly id: string;
  readonly config: AgentConfig;
  readonly profile: string;
  /** Empty if none was given. */
  readonly apiKey: string;
  readonly identity: Identity;
}

/** Methods of the method table that a paired device may call. */
export type BridgeAction =
  | 'agents.pause'
  | 'agents.resume'
  | 'agents.edit'
  | 'agents.setRuntime'
  | 'agents.request';

export interface BridgeHome {
  readonly version: string;
  readonly pid: number;
  list(): readonly BridgeAgent[];
  get(id: string): BridgeAgent | null;
  /** The text of profile.md; empty if missing. */
  profile(id: string): string;
  status(id: string): RuntimeStatus | null;
  /**
   * base64url root key of the operator that the agent's own certificate declares; `null` if it has no owner.
   */
  ownerOf(agent: BridgeAgent): string | null;
  /**
   * base64url root key of this computer's operator; `null` if none exists yet, `unknown` if it cannot be read
   * now.
   */
  operatorRoot(): string | null | 'unknown';
  hasKey(id: string): boolean;
  /** The agent's own API key; `null` if none is stored, or it cannot be read now. */
  keyOf(id: string): string | null;
  removeKey(id: string): Result<void>;
  setAvatarUrl(id: string, url: string): Result<void>;
  /** The system prompt of its next turn; `null` if the agent does not run. */
  prompt(agent: BridgeAgent): string | null;
  /** Confined to the workspace. */
  files(agent: BridgeAgent): ConfinedFiles;
  adopt(agent: AdoptedAgent): Promise<Result<{ readonly folder: string }>>;
  /** Calls the dispatch shared by all transports. */
  act(method: BridgeAction, input: unknown): Promise<Result<unknown>>;
}
