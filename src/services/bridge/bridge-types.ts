/** What the local bridge is asked, what it answers, and what it needs of the host behind it. */
import type { Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { RuntimeStatus } from '../../core/agents/runtime-status.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { ConfinedFiles } from '../../core/tool-ports.ts';

export interface BridgeRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query exactly as they came: they are signed. */
  readonly target: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

export interface BridgeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly json: unknown } | { readonly text: string };
}

export const json = (status: number, value: unknown): BridgeResponse => ({ status, body: { json: value } });
export const text = (status: number, value: string): BridgeResponse => ({ status, body: { text: value } });
export const refusal = (status: number, error: string): BridgeResponse => json(status, { error });

/** Bytes to a value; null for what is no JSON, or is nested too deeply. */
export type ParseJson = (body: Uint8Array) => { readonly value: unknown } | null;

/** An agent as the store knows it. */
export interface BridgeAgent {
  readonly id: string;
  readonly folder: string;
  /** What is in force; null when its file was never usable, and `error` says why. */
  readonly lastGood: AgentConfig | null;
  readonly error: { readonly message: string } | null;
  /** What was asked for by a file below `.puffo-agent/`. */
  readonly requests: readonly string[];
}

export interface AdoptedAgent {
  readonly id: string;
  readonly config: AgentConfig;
  readonly profile: string;
  /** Empty when none was given. */
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
  /** profile.md; empty when there is none. */
  profile(id: string): string;
  status(id: string): RuntimeStatus | null;
  /** base64url root key of the operator whom the agent's own certificate declares; null: nobody owns it. */
  ownerOf(agent: BridgeAgent): string | null;
  /** base64url root key of this computer's operator; `null`: there is none yet, `unknown`: it cannot be read now. */
  operatorRoot(): string | null | 'unknown';
  hasKey(id: string): boolean;
  /** The agent's own API key; null when there is none, or it cannot be read now. */
  keyOf(id: string): string | null;
  removeKey(id: string): Result<void>;
  setAvatarUrl(id: string, url: string): Result<void>;
  /** What its next turn is told about itself; null for an agent that does not run. */
  prompt(agent: BridgeAgent): string | null;
  /** Of the workspace alone. */
  files(agent: BridgeAgent): ConfinedFiles;
  adopt(agent: AdoptedAgent): Promise<Result<{ readonly folder: string }>>;
  /** Through the dispatch of all transports. */
  act(method: BridgeAction, input: unknown): Promise<Result<unknown>>;
}
