/**
 * Answers the requests of a running Claude Code: its own actions and the tools of the host, both behind the
 * approval gate with the arguments in Kennel's form. Whatever cannot be read or shown is refused.
 */
import { errorText } from '../../../contract/errors.ts';
import { runBody } from '../../loop/tool-body.ts';
import { validateArguments } from '../../loop/validate-arguments.ts';
import { CallGate, type CallGateParts } from '../program/call-gate.ts';
import { isOffered } from '../program/offered-tools.ts';
import { isHostTool, toKennelCall } from './claude-calls.ts';
import type { ClaudeEvent } from './claude-events.ts';
import { answerMcp, type HostCall, type HostCallEnd } from './claude-host-tools.ts';
import { allowLine, denyLine, mcpLine, refuseLine } from './claude-requests.ts';

type Permission = Extract<ClaudeEvent, { type: 'permission' }>;
type McpRequest = Extract<ClaudeEvent, { type: 'mcp' }>;

const toolAbortMs = 5_000;

export class ClaudeGate {
  readonly #parts: CallGateParts;
  readonly #write: (line: string) => void;
  readonly calls: CallGate;
  /** Ids of requests that the program withdrew. */
  readonly #cancelled = new Set<string>();

  constructor(parts: CallGateParts, write: (line: string) => void) {
    this.#parts = parts;
    this.#write = write;
    this.calls = new CallGate(parts);
  }

  cancelled(requestId: string): void {
    this.#cancelled.add(requestId);
  }

  async permission(asked: Permission): Promise<void> {
    const { requestId, tool, input, callId } = asked;
    await this.#answer(requestId, async () => {
      // The call itself asks, with the arguments that the host gets.
      if (isHostTool(tool)) return allowLine(requestId, input);
      const call = toKennelCall(tool, input);
      this.#parts.live.steps.begin(callId, call.name, call.ok ? call.args : input);
      const reason = call.ok ? await this.calls.whyNot(callId, call.name, call.args) : call.reason;
      if (reason === null) return allowLine(requestId, input);
      this.calls.refused.add(callId);
      return denyLine(requestId, reason);
    });
  }

  async mcp({ requestId, message }: McpRequest): Promise<void> {
    const { tools } = this.#parts.live.parts.kit;
    await this.#answer(requestId, async () =>
      mcpLine(requestId, await answerMcp(message, tools, (call) => this.#runHere(call))),
    );
  }

  async #answer(requestId: string, work: () => Promise<string>): Promise<void> {
    const refuse = (error: unknown): string => refuseLine(requestId, errorText(error));
    const line = await this.calls.answering(work, refuse);
    if (!this.#cancelled.has(requestId)) this.#write(line);
  }

  async #runHere({ callId, name, args: given }: HostCall): Promise<HostCallEnd> {
    const { live, record, tools, clock } = this.#parts;
    const known = live.parts.kit.tools.find((one) => one.name === name && isOffered(one));
    const tool = known && tools.loopTools.find((one) => one.name === name);
    if (!tool) return failed(`There is no tool named ${name}.`);
    live.steps.begin(callId, name, given);
    const checked = validateArguments(tool, { arguments: given });
    if (!checked.ok) return failed(checked.error);
    const args = checked.value;
    const reason = await this.calls.ask(callId, tool, args);
    if (reason !== null) {
      this.calls.refused.add(callId);
      return failed(reason);
    }
    const { signal } = live.abort;
    if (signal.aborted) return failed('The turn was stopped.');
    record.started(callId, name, args);
    const limits = { clock, signal, timeoutMs: tool.timeoutMs ?? null, abortMs: toolAbortMs };
    const { output, isError } = await runBody(tool, callId, args, limits, (partial) =>
      live.steps.progress(callId, partial),
    );
    return { content: [...output.content], isError };
  }
}

const failed = (text: string): HostCallEnd => ({ content: [{ type: 'text', text }], isError: true });
