/**
 * Calls that a call of the loop makes, such as code. Each passes validation and the gate on its own. Questions are asked
 * one at a time; allowed calls run concurrently unless a tool asks for a sequence. They have no transcript of their own:
 * after a crash the outer call is reported as unknown, and not repeated.
 */
import { isRecord } from '../../contract/is-record.ts';
import { createSemaphore } from '../lib/semaphore.ts';
import type { BeforeVerdict } from '../loop/loop-config.ts';
import type { LoopTool } from '../loop/loop-tool.ts';
import type { AskedCall } from '../loop/tool-adapter.ts';
import { errorOutput, runBody } from '../loop/tool-body.ts';
import { validateArguments } from '../loop/validate-arguments.ts';
import type { Clock } from '../ports.ts';
import type { InnerCallEnd, InnerCalls, Tool, ToolOutput } from '../tools/tool.ts';
import type { TurnSteps } from './turn-steps.ts';

/** Most calls of one outer call. */
const mostCalls = 500;
/** Most of them at the same time. */
const mostAtOnce = 8;
/** ms that a tool has to end after an abort. */
const abortMs = 5_000;

export interface InnerCallDeps {
  readonly outerId: string;
  readonly tools: readonly { readonly tool: Tool; readonly loop: LoopTool }[];
  readonly steps: Pick<TurnSteps, 'begin' | 'progress' | 'end'>;
  readonly clock: Clock;
  /** Asks the gate, one question of the turn at a time. */
  decide(
    call: AskedCall,
    signal: AbortSignal,
  ): Promise<{ readonly verdict: BeforeVerdict | undefined; readonly isDenied: boolean }>;
  succeeded(callId: string): void;
}

class InnerCallRun implements InnerCalls {
  readonly tools: InnerCalls['tools'];
  readonly #deps: InnerCallDeps;
  readonly #running = createSemaphore(mostAtOnce);
  readonly #inSequence = createSemaphore(1);
  #calls = 0;

  constructor(deps: InnerCallDeps) {
    this.#deps = deps;
    this.tools = deps.tools.map(({ tool }) => tool);
  }

  async call(name: string, args: unknown, signal: AbortSignal): Promise<InnerCallEnd> {
    const { outerId, tools, steps } = this.#deps;
    this.#calls += 1;
    const callId = `${outerId}.${this.#calls}`;
    const failed = (text: string): InnerCallEnd => ({ callId, state: 'failed', output: errorOutput(text) });
    if (this.#calls > mostCalls) return failed(`One call may make at most ${mostCalls} calls.`);
    const found = tools.find(({ tool }) => tool.name === name);
    if (!found) return failed(`There is no tool named ${name}.`);
    if (!isRecord(args)) return failed(`The arguments of ${name} are not an object.`);
    steps.begin(callId, name, args, this.#deps.clock.now(), outerId);
    const end = await this.#gated(callId, found, args, signal);
    steps.end(callId, end.state, end.output.content, this.#deps.clock.now(), end.output.restorePoint);
    if (end.state === 'done') this.#deps.succeeded(callId);
    return end;
  }

  async #gated(
    callId: string,
    { tool, loop }: InnerCallDeps['tools'][number],
    given: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<InnerCallEnd> {
    const failed = (output: ToolOutput): InnerCallEnd => ({ callId, state: 'failed', output });
    const checked = validateArguments(loop, { arguments: given });
    if (!checked.ok) return failed(errorOutput(checked.error));
    const args = checked.value;
    const justification = typeof args.justification === 'string' ? args.justification : '';
    const asked = { callId, name: tool.name, args, justification };
    const { verdict, isDenied } = await this.#deps.decide(asked, signal);
    if (verdict?.block) {
      const output = errorOutput(verdict.reason ?? `${tool.name} was not allowed.`, verdict.details);
      return { callId, state: isDenied ? 'denied' : 'failed', output };
    }
    const limited = tool.executionMode === 'sequential' ? this.#inSequence : this.#running;
    return limited(async () => {
      if (signal.aborted) return failed(errorOutput(abortedText));
      const limits = { clock: this.#deps.clock, signal, timeoutMs: tool.timeoutMs ?? null, abortMs };
      const body = await runBody(loop, callId, args, limits, (partial) =>
        this.#deps.steps.progress(callId, partial),
      );
      return { callId, state: body.isError ? 'failed' : 'done', output: body.output };
    });
  }
}

const abortedText = 'The run was aborted before this call was started.';
export const abortedVerdict: { readonly verdict: BeforeVerdict; readonly isDenied: boolean } = {
  verdict: { block: true, reason: abortedText },
  isDenied: false,
};

export const createInnerCalls = (deps: InnerCallDeps): InnerCalls => new InnerCallRun(deps);

/** Ids of the successful inner calls that the details of a result list. */
export function innerSuccesses(details: unknown): readonly string[] {
  if (!isRecord(details) || !Array.isArray(details.innerCalls)) return [];
  return details.innerCalls.flatMap((call: unknown) =>
    isRecord(call) && call.state === 'done' && typeof call.callId === 'string' ? [call.callId] : [],
  );
}
