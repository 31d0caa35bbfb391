/**
 * The conversation of one agent with its operator and with the content that it watches: one turn at a time, tools
 * behind the gate of the file, a bounded history.
 */
import { errorText, textError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ReactingAgent } from '../../core/agentd/agents-file.ts';
import { type AskOperator, fileGate } from '../../core/agentd/file-gate.ts';
import type { ServerLink } from '../../core/agentd/server-link.ts';
import { type ServerTool, toolsOfServers } from '../../core/agentd/server-tools.ts';
import { createSemaphore } from '../../core/lib/semaphore.ts';
import { Agent } from '../../core/loop/agent.ts';
import type { AgentEvent } from '../../core/loop/events.ts';
import type { LoopModel, StreamFunction } from '../../core/loop/stream-function.ts';
import { gateHook, loopTool } from '../../core/loop/tool-adapter.ts';
import { type TranscriptMessage, transcriptText } from '../../core/models/messages.ts';
import type { Clock, Random } from '../../core/ports.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import type { ConversationLog } from '../conversation-log.ts';

export interface SessionModel {
  readonly model: LoopModel;
  readonly stream: StreamFunction;
}

export interface SessionListener {
  onEvent(event: AgentEvent): void;
  /** Servers without their tools in this turn. */
  onServersFailed(failed: readonly string[]): void;
  readonly log: ConversationLog | null;
}

export interface AgentSessionDeps {
  readonly agent: ReactingAgent;
  readonly links: readonly ServerLink[];
  readonly model: SessionModel;
  readonly time: { readonly clock: Clock; readonly random: Random };
  readonly ask: AskOperator;
  readonly listener: SessionListener;
}

/** Model requests of a turn. */
const mostRounds = 20;
const mostMessages = 200;

/** The newest messages, from the start of a turn on. */
export function boundedHistory(
  messages: readonly TranscriptMessage[],
  most = mostMessages,
): readonly TranscriptMessage[] {
  if (messages.length <= most) return messages;
  const newest = messages.slice(-most);
  const start = newest.findIndex(({ role }) => role === 'user');
  return start === -1 ? [] : newest.slice(start);
}

function record(log: ConversationLog, event: AgentEvent): void {
  if (event.type === 'message_end') {
    const { role, content } = event.message;
    log({ type: 'message', role, content });
  } else if (event.type === 'tool_execution_start') {
    const { toolCallId: id, toolName: name, args } = event;
    log({ type: 'tool_call', tool_type: 'mcp', id, name, input: args });
  } else if (event.type === 'tool_execution_end') {
    const { toolCallId: id, toolName: name, result, isError, durationMs = 0 } = event;
    const output = result.content;
    log({
      type: 'tool_result',
      tool_type: 'mcp',
      id,
      name,
      output,
      is_error: isError,
      duration_ms: durationMs,
    });
  }
}

export class AgentSession {
  readonly #deps: AgentSessionDeps;
  readonly #oneAtATime = createSemaphore(1);
  #history: readonly TranscriptMessage[] = [];
  #turns = 0;

  constructor(deps: AgentSessionDeps) {
    this.#deps = deps;
  }

  /** All tools that the file leaves to the agent. */
  async tools(): Promise<readonly ServerTool[]> {
    return (await toolsOfServers(this.#deps.links, sha256Hex)).tools;
  }

  /**
   * Waits for the running turn. The text of the answer; `cancelled` after an abort. `onEvent` gets the events of
   * this turn in place of the listener.
   */
  say(
    text: string,
    signal: AbortSignal,
    onEvent: (event: AgentEvent) => void = this.#deps.listener.onEvent,
  ): Promise<Result<string>> {
    return this.#oneAtATime(async () => {
      if (signal.aborted) return err(fail('cancelled', 'turns.turnStopped'));
      try {
        return await this.#turn(text, signal, onEvent);
      } catch (error) {
        return err(fail('internal', 'agentd.turnFailed', { why: errorText(error) }));
      }
    });
  }

  async #turn(
    text: string,
    signal: AbortSignal,
    onEvent: (event: AgentEvent) => void,
  ): Promise<Result<string>> {
    const agent = await this.#agent(onEvent);
    const abort = (): void => agent.abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const prompted = agent.prompt(text);
      if (signal.aborted) abort();
      await prompted;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    const { messages, errorMessage } = agent.state;
    if (signal.aborted) {
      this.#history = boundedHistory(messages);
      return err(fail('cancelled', 'turns.turnStopped'));
    }
    // A failed turn leaves no trace, so that its repetition does not pile up.
    if (errorMessage !== null) return err(textError('unavailable', errorMessage));
    this.#history = boundedHistory(messages);
    const answer = messages.findLast(({ role }) => role === 'assistant');
    return ok(answer ? transcriptText(answer) : '');
  }

  async #agent(onEvent: (event: AgentEvent) => void): Promise<Agent> {
    const { agent, links, model, time, ask, listener } = this.#deps;
    const { tools, failed } = await toolsOfServers(links, sha256Hex);
    if (failed.length > 0) listener.onServersFailed(failed);
    this.#turns += 1;
    const facts = { agentId: agent.name, turnId: `turn-${this.#turns}`, threadKey: agent.name };
    // The model does not see denied tools.
    const offered = tools.filter(({ rule }) => rule !== 'deny').map(({ tool }) => tool);
    const check = gateHook({
      tools: offered,
      gate: fileGate({ tools: () => tools, ask, sha256: sha256Hex }),
      facts: () => facts,
      tainted: () => true,
    });
    let rounds = 0;
    const made = new Agent({
      ...time,
      ...model,
      messages: this.#history,
      system: agent.systemPrompt,
      thinkingLevel: 'off',
      tools: offered.map((tool) => loopTool(tool, () => facts)),
      compaction: {},
      beforeToolCall: (call, stop) => check(call, stop),
      finishTurn: () => {
        rounds += 1;
        return rounds >= mostRounds ? 'end' : undefined;
      },
    });
    made.subscribe((event) => {
      onEvent(event);
      if (listener.log) record(listener.log, event);
    });
    return made;
  }
}
