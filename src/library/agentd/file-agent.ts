/** One agent of the file while it runs: its servers, its conversation and its watches. */
import type { AppError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ReactingAgent } from '../../core/agentd/agents-file.ts';
import type { AskOperator } from '../../core/agentd/file-gate.ts';
import { type CursorStore, Reactions } from '../../core/agentd/reactions.ts';
import { ServerLink } from '../../core/agentd/server-link.ts';
import type { ServerTool } from '../../core/agentd/server-tools.ts';
import { watchUri } from '../../core/agentd/watch-uri.ts';
import type { AgentEvent } from '../../core/loop/events.ts';
import { changePrompt } from '../../core/mcp/change-prompt.ts';
import type { McpConnector } from '../../core/mcp/mcp-ports.ts';
import type { Clock, Random } from '../../core/ports.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ConversationLog } from '../conversation-log.ts';
import { AgentSession, type SessionModel } from './agent-session.ts';

export type AgentReport =
  | { readonly kind: 'event'; readonly event: AgentEvent }
  | { readonly kind: 'serversFailed'; readonly failed: readonly string[] }
  /** `error`: `null` once the watch works again. */
  | { readonly kind: 'watchFailed'; readonly uri: string; readonly error: AppError | null }
  | { readonly kind: 'changed'; readonly uris: readonly string[] }
  | { readonly kind: 'turnFailed'; readonly error: AppError; readonly givenUp: boolean };

export interface FileAgentDeps {
  readonly time: { readonly clock: Clock; readonly random: Random };
  readonly connector: McpConnector;
  readonly model: SessionModel;
  readonly ask: AskOperator;
  readonly report: (report: AgentReport) => void;
  readonly log: ConversationLog | null;
}

export interface ReactionSettings {
  readonly store: CursorStore;
  readonly pollMs: number;
  readonly debounceMs: number;
}

export interface FileAgent {
  readonly agent: ReactingAgent;
  /** `onEvent` gets the events of this turn, which then are not reported. */
  say(text: string, signal: AbortSignal, onEvent?: (event: AgentEvent) => void): Promise<Result<string>>;
  tools(): Promise<readonly ServerTool[]>;
  /** Resolves when no server of the agent runs any more. */
  close(): Promise<void>;
}

/** `reacting`: `null` to leave the subscriptions alone. */
export function runAgent(
  agent: ReactingAgent,
  deps: FileAgentDeps,
  reacting: ReactionSettings | null,
): FileAgent {
  const { time, connector, model, ask, report, log } = deps;
  const links = agent.servers.map((server) => new ServerLink(agent.name, server, connector));
  const listener = {
    onEvent: (event: AgentEvent) => report({ kind: 'event', event }),
    onServersFailed: (failed: readonly string[]) => report({ kind: 'serversFailed', failed }),
    log,
  };
  const session = new AgentSession({ agent, links, model, time, ask, listener });
  const watches = reacting === null ? null : watchAll({ agent, links, session, time, report, reacting });
  log?.({ type: 'session_start', model: agent.model, agent: agent.name });
  return {
    agent,
    say: (text, signal, onEvent) => session.say(text, signal, onEvent),
    tools: () => session.tools(),
    async close() {
      await watches?.close();
      await Promise.all(links.map((link) => link.close()));
      log?.({ type: 'session_end', reason: 'closed' });
    },
  };
}

interface Watching {
  readonly agent: ReactingAgent;
  readonly links: readonly ServerLink[];
  readonly session: AgentSession;
  readonly time: FileAgentDeps['time'];
  readonly report: FileAgentDeps['report'];
  readonly reacting: ReactionSettings;
}

function watchAll({ agent, links, session, time, report, reacting }: Watching): { close(): Promise<void> } {
  const { store, pollMs, debounceMs } = reacting;
  const reactions = new Reactions({
    ...time,
    store,
    debounceMs,
    async turn(changes, signal) {
      report({ kind: 'changed', uris: changes.map(({ uri }) => uri) });
      const answered = await session.say(changePrompt(agent.onUpdate, changes), signal);
      return answered.ok ? ok(undefined) : err(answered.error);
    },
    onFailure: (error, givenUp) => report({ kind: 'turnFailed', error, givenUp }),
  });
  reactions.keepOnly(agent.subscriptions);
  const ending = new AbortController();
  const watchListener = {
    observed: reactions.observe.bind(reactions),
    failed: (uri: string, error: AppError | null) => report({ kind: 'watchFailed', uri, error }),
  };
  const watchDeps = { ...time, sha256: sha256Hex, links, pollMs };
  const running = agent.subscriptions.map((uri) => watchUri(uri, watchDeps, watchListener, ending.signal));
  return {
    async close() {
      ending.abort();
      await reactions.close();
      await Promise.all(running);
    },
  };
}
