/**
 * Runs the body of one call and always returns: an error becomes an error result, and a body that ignores its
 * signal is cut off at its deadline.
 */
import { errorText } from '../../contract/errors.ts';
import type { Clock, Timer } from '../ports.ts';
import type { ToolOutput } from '../tools/tool.ts';
import type { LoopTool } from './loop-tool.ts';
import { onAbort } from './on-abort.ts';

export interface BodyLimits {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** ms from the start; `null` for no limit. */
  readonly timeoutMs: number | null;
  /** ms from an abort. */
  readonly abortMs: number;
}

export interface BodyEnd {
  readonly output: ToolOutput;
  readonly isError: boolean;
  readonly durationMs: number;
}

export const errorOutput = (text: string, details?: unknown): ToolOutput => ({
  content: [{ type: 'text', text }],
  ...(details === undefined ? {} : { details }),
  isError: true,
});

const nothing = 'The tool returned nothing.';

const isOutput = (value: object): value is ToolOutput =>
  'content' in value &&
  Array.isArray(value.content) &&
  value.content.every((block: unknown) => typeof block === 'object' && block !== null && 'type' in block);

/** Converts any returned value to one result: nothing, a text, an object without content, a number. */
export function toToolOutput(value: unknown): ToolOutput {
  const text = (said: string): ToolOutput => ({ content: [{ type: 'text', text: said }] });
  if (value === undefined || value === null || value === '') return text(nothing);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'object' && isOutput(value)) return value;
  try {
    return text(JSON.stringify(value) ?? nothing);
  } catch (error) {
    return errorOutput(`The tool returned something that is no JSON: ${errorText(error)}`);
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** Resolves once, with the first event. */
class Deadline {
  readonly #limits: BodyLimits;
  readonly #own: AbortController | null;
  #timer: Timer | null = null;
  #forget: () => void = () => undefined;
  #cut: (output: ToolOutput) => void = () => undefined;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#own = limits.timeoutMs === null ? null : new AbortController();
  }

  /** Signal for the body: the run's own signal if nothing else can end it. */
  get signal(): AbortSignal {
    return this.#own?.signal ?? this.#limits.signal;
  }

  start(name: string, cut: (output: ToolOutput) => void): void {
    const { clock, signal, timeoutMs } = this.#limits;
    this.#cut = cut;
    if (timeoutMs !== null) {
      this.#timer = clock.after(timeoutMs, () => {
        this.#own?.abort();
        const text = `${name} took longer than ${seconds(timeoutMs)} and was cut off. What it did until then is not undone.`;
        cut(errorOutput(text, { cutOff: 'timeout' }));
      });
    }
    const aborted = (): void => this.#aborted(name);
    if (signal.aborted) aborted();
    else this.#forget = onAbort(signal, aborted);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#forget();
  }

  #aborted(name: string): void {
    const { clock, abortMs, signal } = this.#limits;
    this.#own?.abort(signal.reason);
    this.#timer?.cancel();
    this.#timer = clock.after(abortMs, () => {
      const text = `${name} did not stop within ${seconds(abortMs)} of the abort and was cut off. What it did is unknown.`;
      this.#cut(errorOutput(text, { cutOff: 'abort' }));
    });
  }
}

export async function runBody(
  tool: LoopTool,
  callId: string,
  args: Readonly<Record<string, unknown>>,
  limits: BodyLimits,
  onUpdate: (partial: ToolOutput) => void,
): Promise<BodyEnd> {
  const started = limits.clock.monotonic();
  let open = true;
  const update = (partial: ToolOutput): void => {
    if (open) onUpdate(partial);
  };
  const deadline = new Deadline(limits);
  const output = await new Promise<ToolOutput>((resolve) => {
    deadline.start(tool.name, resolve);
    try {
      const made: unknown = tool.execute(callId, args, deadline.signal, update);
      if (isThenable(made))
        made.then(
          (value) => resolve(toToolOutput(value)),
          (error: unknown) => resolve(errorOutput(errorText(error))),
        );
      else resolve(toToolOutput(made));
    } catch (error) {
      resolve(errorOutput(errorText(error)));
    }
  });
  open = false;
  deadline.stop();
  return { output, isError: output.isError === true, durationMs: limits.clock.monotonic() - started };
}
