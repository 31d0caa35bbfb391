/**
 * Ports of the MCP host: connections to MCP servers of both protocol eras, and the stores and questions that
 * they need. Everything that a server sends is untrusted content; the adapter limits its size and depth.
 */
import type { Result } from '../../contract/result.ts';
import type { JsonSchema } from '../models/model-ports.ts';
import type { McpServerConfig, McpStdioConfig } from './server-config.ts';

/** `legacy`: sessions, up to 2025-11-25. `modern`: without sessions, from 2026-07-28 on. */
export type McpEra = 'legacy' | 'modern';

export interface McpServerTarget {
  /** Key of the cached era and of the credentials: one per configured server and agent. */
  readonly id: string;
  readonly config: McpServerConfig;
}

export interface McpConnector {
  /**
   * Starts or reaches the server and negotiates the era. Codes: `unavailable` if it cannot be started or
   * reached, `unauthenticated` if authorization fails or is refused, `protocol` for wrong answers, `timeout`,
   * `cancelled`. Nothing keeps running after a failure.
   */
  connect(
    server: McpServerTarget,
    handlers: McpHandlers,
    options?: McpConnectOptions,
  ): Promise<Result<McpConnection>>;
}

export interface McpConnectOptions {
  readonly signal?: AbortSignal;
  /** ms; 60,000 if absent. Waiting for the operator's authorization does not count. */
  readonly timeoutMs?: number;
}

/** Answers to a server's requests, and its events. An absent handler means that the client lacks the capability. */
export interface McpHandlers {
  /** `closed` is the last event, and is sent once, also after `close()`. */
  onEvent(event: McpEvent): void;
  /** A failure declines the question. */
  elicit?(question: McpElicitation, signal: AbortSignal): Promise<Result<McpElicitationAnswer>>;
  /** A failure is reported to the server as an error. */
  sample?(request: McpSampling, signal: AbortSignal): Promise<Result<McpSample>>;
  /** Folders that the server may use, as `file:` addresses. */
  roots?(): Promise<Result<readonly McpRoot[]>>;
}

export type McpEvent =
  | { readonly kind: 'toolsChanged' }
  | { readonly kind: 'resourcesChanged' }
  | { readonly kind: 'promptsChanged' }
  | { readonly kind: 'resourceUpdated'; readonly uri: string }
  /** A log message of the protocol; the error output of a program is in `logTail`. */
  | { readonly kind: 'log'; readonly level: string; readonly text: string }
  | { readonly kind: 'closed'; readonly reason: McpCloseReason };

export type McpCloseReason =
  /** `close()` was called. */
  | { readonly by: 'client' }
  /** The program ended, or the connection was lost. */
  | { readonly by: 'server'; readonly exitCode: number | null; readonly signal: string | null }
  /** The server broke a limit or the protocol. */
  | { readonly by: 'limit'; readonly text: string };

export interface McpCallOptions {
  /** Its abort cancels the request at the server; the result is a failure `cancelled`. */
  readonly signal?: AbortSignal;
  /** ms without an answer or progress until the request is cancelled; 60,000 if absent. */
  readonly timeoutMs?: number;
}

export interface McpToolCallOptions extends McpCallOptions {
  readonly onProgress?: (progress: McpProgress) => void;
  /**
   * Whether the call may go to a session whose tools were not listed yet, with the definition that the tool has there;
   * `null` if it has none. Without it no session is checked.
   */
  readonly accepts?: (definition: McpToolDefinition | null) => boolean;
}

/** One open connection. After `closed` every method fails with `unavailable`. */
export interface McpConnection {
  readonly era: McpEra;
  /** For example `2025-11-25`. */
  readonly protocolVersion: string;
  /** Name and version that the server states about itself, if it does. */
  readonly serverInfo: { readonly name: string; readonly version: string } | null;
  readonly capabilities: McpServerCapabilities;
  /** Text of the server for the model; untrusted. */
  readonly instructions: string | null;

  tools(options?: McpCallOptions): Promise<Result<readonly McpToolDefinition[]>>;
  /** A tool that reports an error is a success with `isError`. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: McpToolCallOptions,
  ): Promise<Result<McpToolResult>>;
  resources(options?: McpCallOptions): Promise<Result<readonly McpResource[]>>;
  resourceTemplates(options?: McpCallOptions): Promise<Result<readonly McpResourceTemplate[]>>;
  readResource(uri: string, options?: McpCallOptions): Promise<Result<readonly McpResourceContent[]>>;
  /** `resourceUpdated` follows for each change, also after the connection was re-established. */
  subscribe(uri: string, options?: McpCallOptions): Promise<Result<void>>;
  unsubscribe(uri: string, options?: McpCallOptions): Promise<Result<void>>;
  prompts(options?: McpCallOptions): Promise<Result<readonly McpPrompt[]>>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: McpCallOptions,
  ): Promise<Result<McpPromptResult>>;
  complete(request: McpCompletion, options?: McpCallOptions): Promise<Result<McpCompletionResult>>;
  /** Tells a server of the 2025 era that `roots` has changed; later eras ask again for each call. */
  rootsChanged(): Promise<Result<void>>;
  /** The last lines of the program's error output; empty for HTTP. */
  logTail(): string;
  /** Ends the program and its process group. Resolves when nothing of it runs any more; may be repeated. */
  close(): Promise<void>;
}

export interface McpServerCapabilities {
  readonly tools: boolean;
  readonly resources: boolean;
  /** The server accepts `subscribe`. */
  readonly subscribe: boolean;
  readonly prompts: boolean;
  readonly completions: boolean;
  readonly logging: boolean;
}

// --- tools -------------------------------------------------------------------------------------------------------

export interface McpToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** Hints of the server about itself; they never decide anything. */
  readonly annotations?: McpToolAnnotations;
}

export interface McpToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface McpProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface McpToolResult {
  readonly content: readonly McpContent[];
  /** Present if the server sent it, also beside an error. */
  readonly structured?: unknown;
  readonly isError: boolean;
}

export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  /** `data`: base64. */
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resourceLink';
      readonly uri: string;
      readonly name: string;
      readonly description?: string;
      readonly mimeType?: string;
    }
  | { readonly type: 'resource'; readonly resource: McpResourceContent };

// --- resources and prompts ---------------------------------------------------------------------------------------

interface McpDescribed {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

export interface McpResource extends McpDescribed {
  readonly uri: string;
  readonly mimeType?: string;
  /** Bytes, if the server states it. */
  readonly size?: number;
}

export interface McpResourceTemplate extends McpDescribed {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly mimeType?: string;
}

/** Either `text` or `blob` (base64). */
export interface McpResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface McpPrompt extends McpDescribed {
  readonly arguments: readonly McpPromptArgument[];
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface McpPromptResult {
  readonly description?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: McpContent }[];
}

/** Completes the argument `argument` of a prompt or of a resource template. */
export interface McpCompletion {
  readonly of:
    | { readonly kind: 'prompt'; readonly name: string }
    | { readonly kind: 'template'; readonly uriTemplate: string };
  readonly argument: string;
  /** The text typed so far. */
  readonly value: string;
  /** Arguments already given. */
  readonly given?: Readonly<Record<string, string>>;
}

export interface McpCompletionResult {
  readonly values: readonly string[];
  readonly hasMore: boolean;
}

// --- requests of a server ----------------------------------------------------------------------------------------

export type McpElicitation =
  /** `schema`: a flat object schema whose fields are strings, numbers, booleans and choices. */
  | { readonly kind: 'form'; readonly message: string; readonly schema: JsonSchema }
  /** The operator opens `url` in a browser; it is http or https. */
  | { readonly kind: 'url'; readonly message: string; readonly url: string; readonly id: string };

export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, McpFieldValue>> }
  | { readonly action: 'decline' | 'cancel' };

export type McpFieldValue = string | number | boolean | readonly string[];

export interface McpSampling {
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly content: readonly McpContent[];
  }[];
  readonly systemPrompt?: string;
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences: readonly string[];
  /** Names of models that the server would like, the best first; only hints. */
  readonly modelHints: readonly string[];
}

export interface McpSample {
  readonly model: string;
  readonly text: string;
  readonly stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens';
}

export interface McpRoot {
  readonly uri: string;
  readonly name?: string;
}

// --- what the adapter needs from the host ------------------------------------------------------------------------

/**
 * Remembers the era of each server, so that the next connection skips the probe. Texts are opaque to the host.
 * A lost verdict only costs a probe.
 */
export interface McpEraCache {
  read(serverId: string): string | null;
  /** `null` to forget. */
  write(serverId: string, verdict: string | null): void;
}

/** OAuth tokens and client registrations of a server as opaque text; the host keeps them in the vault. */
export interface McpCredentialStore {
  read(serverId: string): Promise<Result<string | null>>;
  /** `null` to delete. */
  write(serverId: string, credentials: string | null): Promise<Result<void>>;
}

/**
 * Asks the operator to authorize: opens the page, which is http or https and never reaches a shell, and waits for
 * the redirect on loopback.
 */
export interface McpAuthorizer {
  /** Listens on loopback. `state` is a secret that the redirect must repeat. */
  listen(state: string): Promise<Result<McpRedirect>>;
  /** Shows the page to the operator; a failure ends the authorization. */
  openPage(serverId: string, url: string): Promise<Result<void>>;
}

export interface McpRedirect {
  readonly redirectUri: string;
  /** Resolves once, also after `close`. `iss`: `null` if the redirect has none (RFC 9207). */
  readonly answer: Promise<Result<{ readonly code: string; readonly iss: string | null }>>;
  close(): void;
}

/** A running program of a server. `HarnessProcess` is one. */
export interface McpProgram {
  /** Lines of its output without their ends; a line that is too long is cut, and so is no JSON. */
  readonly lines: AsyncIterable<string>;
  write(line: string): void;
  /** Resolves when nothing of the program runs any more. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stderrTail(): string;
  /** Ends it and everything that it started; may be repeated. */
  end(): Promise<void>;
}

/** Starts the program with a minimal environment and in a process group of its own. */
export type McpProgramStarter = (
  server: McpServerTarget,
  config: McpStdioConfig,
  signal: AbortSignal,
) => Promise<Result<McpProgram>>;
