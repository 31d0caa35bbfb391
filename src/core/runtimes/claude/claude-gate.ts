/**
 * Answers the requests of a running Claude Code: its own actions and the tools of the host, both behind the
 * approval gate with the arguments in Kennel's form. Whatever cannot be read or shown is refused.
 */
import { errorText } from '../../../contract/errors.ts';
import type { BeforeVerdict, CallView } from '../../loop/loop-config.ts';
import type { LoopTool } from '../../loop/loop-tool.ts';
import { runBody } from '../../loop/tool-body.ts';
import { validateArguments } from '../../loop/validate-arguments.ts';
import { type AssistantMessage, noUsage } from '../../models/messages.ts';
import { revealedBy } from '../../policy/audience.ts';
import type { Clock } from '../../ports.ts';
import type { GatedTools } from '../gated-tools.ts';
import type { LiveTurn } from '../live-turn.ts';
import { isOffered } from '../program/offered-tools.ts';
import type { ProgramRecord } from '../program/program-record.ts';
import { isHostTool, toKennelCall } from './claude-calls.ts';
import type { ClaudeEvent } from './claude-events.ts';
import { answerMcp, type HostCall, type HostCallEnd } from './claude-host-tools.ts';
import { allowLine, denyLine, mcpLine, refuseLine } from './claude-requests.ts';

type Permission = Extract<ClaudeEvent, { type: 'permission' }>;
type McpRequest = Extract<ClaudeEvent, { type: 'mcp' }>;

const toolAbortMs = 5_000;

export class ClaudeGate {
  readonly #live: LiveTurn;
  readonly #record: ProgramRecord;
  readonly #tools: GatedTools;
  readonly #clock: Clock;
  readonly #write: (line: string) => void;
  /** Requests that the program took back. */
  readonly #cancelled = new Set<string>();
  /** Calls that were refused without a question. */
  readonly refused = new Set<string>();
  #waiting = 0;

  constructor(
    live: LiveTurn,
    record: ProgramRecord,
    tools: GatedTools,
    clock: Clock,
    write: (line: string) => void,
  ) {
    this.#live = live;
    this.#record = record;
    this.#tools = tools;
    this.#clock = clock;
    this.#write = write;
  }

  /** True while a request has no answer. */
  get isAsked(): boolean {
    return this.#waiting > 0;
  }

  cancelled(requestId: string): void {
    this.#cancelled.add(requestId);
  }

  async permission(asked: Permission): Promise<void> {
    const { requestId, tool, input, callId } = asked;
    const line = await this.#answering(async () => {
      // The call itself asks, with the arguments that the host gets.
      if (isHostTool(tool)) return allowLine(requestId, input);
      const call = toKennelCall(tool, input);
      this.#live.steps.begin(callId, call.name, call.ok ? call.args : input);
      const reason = call.ok ? await this.#whyNot(callId, call.name, call.args) : call.reason;
      if (reason === null) return allowLine(requestId, input);
      this.refused.add(callId);
      return denyLine(requestId, reason);
    }, requestId);
    if (line !== null && !this.#cancelled.has(requestId)) this.#write(line);
  }

  async mcp({ requestId, message }: McpRequest): Promise<void> {
    const line = await this.#answering(async () => {
      const answer = await answerMcp(message, this.#live.parts.kit.tools, (call) => this.#runHere(call));
      return mcpLine(requestId, answer);
    }, requestId);
    if (line !== null && !this.#cancelled.has(requestId)) this.#write(line);
  }

  /** A failed record ends the turn, and nothing is allowed without a record. */
  async #answering(work: () => Promise<string>, requestId: string): Promise<string | null> {
    this.#waiting += 1;
    try {
      return await work();
    } catch (error) {
      return refuseLine(requestId, errorText(error));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** `null` if the program may carry out the call, else the reason against it. */
  async #whyNot(callId: string, name: string, args: HostCall['args']): Promise<string | null> {
    const tool = this.#live.parts.kit.tools.find((one) => one.name === name);
    const loopTool = this.#tools.loopTools.find((one) => one.name === name);
    if (!tool || !loopTool) return `${name} is not allowed for this agent.`;
    const verdict = await this.#ask(callId, loopTool, args);
    const reason = blockReason(verdict, name);
    if (reason !== null) return reason;
    if (this.#live.abort.signal.aborted) return 'The turn was stopped.';
    this.#record.started(callId, name, args);
    // Before the result can be seen (T9).
    this.#live.reads.note(revealedBy(tool));
    if (tool.foreign === true) this.#live.taint();
    return null;
  }

  async #runHere({ callId, name, args: given }: HostCall): Promise<HostCallEnd> {
    const known = this.#live.parts.kit.tools.find((one) => one.name === name && isOffered(one));
    const tool = known && this.#tools.loopTools.find((one) => one.name === name);
    if (!tool) return failed(`There is no tool named ${name}.`);
    this.#live.steps.begin(callId, name, given);
    const checked = validateArguments(tool, { arguments: given });
    if (!checked.ok) return failed(checked.error);
    const args = checked.value;
    const reason = blockReason(await this.#ask(callId, tool, args), name);
    if (reason !== null) {
      this.refused.add(callId);
      return failed(reason);
    }
    const { signal } = this.#live.abort;
    if (signal.aborted) return failed('The turn was stopped.');
    this.#record.started(callId, name, args);
    const limits = { clock: this.#clock, signal, timeoutMs: tool.timeoutMs ?? null, abortMs: toolAbortMs };
    const { output, isError } = await runBody(tool, callId, args, limits, (partial) =>
      this.#live.steps.progress(callId, partial),
    );
    return { content: [...output.content], isError };
  }

  #ask(callId: string, tool: LoopTool, args: HostCall['args']): Promise<BeforeVerdict | undefined> {
    const toolCall = { type: 'toolCall', id: callId, name: tool.name, arguments: args } as const;
    const assistantMessage = this.#record.said.at(-1) ?? silent(this.#clock.now());
    const view: CallView = { assistantMessage, toolCall, args, tool, messages: [] };
    return this.#tools.before(view, this.#live.abort.signal);
  }
}

const failed = (text: string): HostCallEnd => ({ content: [{ type: 'text', text }], isError: true });

const blockReason = (verdict: BeforeVerdict | undefined, name: string): string | null =>
  verdict?.block ? (verdict.reason ?? `${name} was not allowed.`) : null;

const silent = (timestamp: number): AssistantMessage => ({
  role: 'assistant',
  content: [],
  api: 'claude-code',
  provider: '',
  model: '',
  usage: noUsage,
  stopReason: 'toolUse',
  timestamp,
});
