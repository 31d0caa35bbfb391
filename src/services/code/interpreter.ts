/**
 * Runs JavaScript in QuickJS, an interpreter compiled to WebAssembly. The code sees its own globals and what the
 * prelude defines: it reaches the host only through `call` and `print`. Each code has a heap of its own.
 */
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import type { CodeAnswer, CodeEnd, CodeOutcome, CodeRequest } from '../../core/ptc/code-ports.ts';
import { KeptOutput } from '../../core/ptc/kept-output.ts';
import { prelude } from './prelude.ts';
import { readProgram } from './quickjs-program.ts';

export interface InterpreterRequest extends Pick<CodeRequest, 'code' | 'functions' | 'limits'> {
  call(tool: string, args: unknown): Promise<CodeAnswer>;
  /** The interpreter is loaded: the code begins to compute. */
  starts(): void;
  /** The code waits for a call to end. */
  waits(): void;
}

const stackBytes = 512 * 1024;
/** Calls that may wait for an answer, and the characters of their arguments: the host holds them meanwhile (T24). */
const mostWaiting = 1_000;
const mostWaitingCharacters = 32 * 1024 * 1024;

async function loadModule(): Promise<QuickJSWASMModule> {
  const { default: variant } = await import('@jitl/quickjs-wasmfile-release-sync');
  const { buffer: wasmBinary } = new Uint8Array(await readProgram());
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmBinary }));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function errorLines(thrown: unknown): string {
  if (!isRecord(thrown)) return String(thrown);
  const { name, message, stack } = thrown;
  const head = `${typeof name === 'string' ? name : 'Error'}: ${typeof message === 'string' ? message : ''}`;
  const frames =
    typeof stack === 'string' ? stack.split('\n').filter((line) => line.includes('code.js')) : [];
  return [head, ...frames.slice(0, 5).map((line) => line.trimEnd())].join('\n');
}

class CodeRun {
  readonly #request: InterpreterRequest;
  readonly #context: QuickJSContext;
  readonly #output: KeptOutput;
  readonly #waiting = new Set<QuickJSDeferredPromise>();
  #wake: () => void = () => undefined;
  #isInterrupted = false;
  #usedMs = 0;
  #sliceStart = 0;
  #isOver = false;
  #waitingCharacters = 0;

  constructor(context: QuickJSContext, request: InterpreterRequest) {
    this.#context = context;
    this.#request = request;
    this.#output = new KeptOutput(request.limits.outputCharacters);
  }

  async run(): Promise<CodeOutcome> {
    const { runtime } = this.#context;
    const { memoryBytes, sliceMs, computeMs } = this.#request.limits;
    runtime.setMemoryLimit(memoryBytes);
    runtime.setMaxStackSize(stackBytes);
    this.#prepare();
    runtime.setInterruptHandler(() => {
      const ms = performance.now() - this.#sliceStart;
      this.#isInterrupted ||= ms > sliceMs || this.#usedMs + ms > computeMs;
      return this.#isInterrupted;
    });
    try {
      return await this.#steps();
    } finally {
      this.#isOver = true;
      for (const deferred of this.#waiting) deferred.dispose();
    }
  }

  /** Time in which the interpreter runs. */
  #slice<T>(work: () => T): T {
    this.#sliceStart = performance.now();
    try {
      return work();
    } finally {
      this.#usedMs += performance.now() - this.#sliceStart;
    }
  }

  async #steps(): Promise<CodeOutcome> {
    const context = this.#context;
    // The first line of the code keeps its number.
    const source = `(async () => {${this.#request.code}\n})()`;
    const started = this.#slice(() => context.evalCode(source, 'code.js'));
    if (started.error) return this.#failure(started.error);
    const promise = started.value;
    try {
      for (;;) {
        const jobs = this.#slice(() => context.runtime.executePendingJobs());
        if (jobs.error) return this.#failure(jobs.error);
        jobs.dispose();
        const outcome = this.#ended(promise);
        if (outcome) return outcome;
        await this.#woken();
      }
    } finally {
      promise.dispose();
    }
  }

  /** `null` while the code waits for calls. */
  #ended(promise: QuickJSHandle): CodeOutcome | null {
    const state = this.#context.getPromiseState(promise);
    if (state.type === 'rejected') return this.#failure(state.error);
    const isIdle = this.#waiting.size === 0;
    // An interrupted job may end without an error and leave its promise pending.
    if (this.#isInterrupted && state.type === 'pending') return this.#timeout();
    if (state.type === 'pending')
      return isIdle ? this.#outcome('stuck', 'The code waits for a promise that nothing can resolve.') : null;
    if (state.notAPromise)
      return this.#outcome('threw', 'SyntaxError: a bracket closes the function around the code.');
    if (isIdle) return this.#returned(state.value);
    state.value.dispose();
    return null;
  }

  #woken(): Promise<void> {
    this.#request.waits();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #prepare(): void {
    const context = this.#context;
    const { functions } = this.#request;
    const made: QuickJSHandle[] = [];
    const keep = (handle: QuickJSHandle): QuickJSHandle => {
      made.push(handle);
      return handle;
    };
    try {
      const call = keep(context.newFunction('call', (tool, args) => this.#call(tool, args)));
      const print = keep(
        context.newFunction('print', (text) => {
          this.#output.add(context.getString(text));
          return context.undefined;
        }),
      );
      const list = keep(context.newString(JSON.stringify(functions)));
      const setUp = keep(context.unwrapResult(context.evalCode(prelude, 'prelude.js')));
      context.unwrapResult(context.callFunction(setUp, context.undefined, call, print, list)).dispose();
    } finally {
      for (const handle of made) handle.dispose();
    }
  }

  #call(toolHandle: QuickJSHandle, argsHandle: QuickJSHandle): QuickJSHandle {
    const context = this.#context;
    const tool = context.getString(toolHandle);
    const given = context.getString(argsHandle);
    const deferred = context.newPromise();
    this.#waiting.add(deferred);
    void this.#answer(tool, given).then((answer) => {
      if (this.#isOver) return;
      this.#waiting.delete(deferred);
      const text = context.newString(JSON.stringify(answer));
      deferred.resolve(text);
      text.dispose();
      deferred.dispose();
      this.#wake();
    });
    return deferred.handle;
  }

  async #answer(tool: string, given: string): Promise<CodeAnswer> {
    if (this.#waiting.size > mostWaiting || this.#waitingCharacters + given.length > mostWaitingCharacters) {
      const message = `Too many calls wait for an answer: at most ${mostWaiting}, with ${mostWaitingCharacters} characters of arguments.`;
      return { type: 'error', tool, message };
    }
    this.#waitingCharacters += given.length;
    try {
      return await this.#request.call(tool, JSON.parse(given));
    } finally {
      this.#waitingCharacters -= given.length;
    }
  }

  #returned(value: QuickJSHandle): CodeOutcome {
    const dumped: unknown = this.#slice(() => this.#context.dump(value));
    value.dispose();
    let returned: string | null = null;
    try {
      returned = dumped === undefined ? null : (JSON.stringify(dumped) ?? null);
    } catch {
      return this.#outcome('threw', 'TypeError: the returned value is no JSON.');
    }
    return this.#outcome('done', null, returned);
  }

  #timeout(): CodeOutcome {
    const { sliceMs, computeMs } = this.#request.limits;
    return this.#outcome(
      'timeout',
      `The code computed for too long: at most ${sliceMs} ms between two calls, and ${computeMs} ms in total.`,
    );
  }

  #failure(error: QuickJSHandle): CodeOutcome {
    const thrown: unknown = this.#context.dump(error);
    error.dispose();
    const text = errorLines(thrown);
    const { memoryBytes } = this.#request.limits;
    if (this.#isInterrupted) return this.#timeout();
    if (text.startsWith('InternalError: out of memory'))
      return this.#outcome(
        'memory',
        `The code used more than ${Math.round(memoryBytes / 1_048_576)} MB of memory.`,
      );
    return this.#outcome('threw', text);
  }

  #outcome(end: CodeEnd, error: string | null, returned: string | null = null): CodeOutcome {
    const { text, cut } = this.#output;
    const computeMs = Math.round(this.#usedMs * 10) / 10;
    return { end, error, returned, printed: text, cutCharacters: cut, computeMs };
  }
}

/** Runs one code at a time, in a thread of its own: a built-in function of the interpreter cannot be interrupted. */
export function createInterpreter(): (request: InterpreterRequest) => Promise<CodeOutcome> {
  let loading: Promise<QuickJSWASMModule> | null = null;
  return async (request) => {
    loading ??= loadModule();
    const module = await loading;
    const context = module.newContext();
    request.starts();
    try {
      return await new CodeRun(context, request).run();
    } finally {
      context.dispose();
    }
  };
}
