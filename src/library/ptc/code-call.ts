/** One call of a patched client whose model writes code: into its text, or as arguments of native tools. */
import { realpathSync } from 'node:fs';
import { createSystemClock } from '../../services/clock/system-clock.ts';
import { createQuickJsEngine } from '../../services/code/quickjs-engine.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import type { CodeExecution } from './code-execution.ts';
import { type CodeExecutor, makeSubprocessExecutor } from './code-executor.ts';
import { codeInstructions, codeToolDescription } from './code-instructions.ts';
import { CodeRuns } from './code-runs.ts';
import { answerWithCode, executionText, streamWithCode } from './directive-rounds.ts';
import type { PtcOptions } from './patch-options.ts';
import { answerInRounds, ended, logged, type RoundsDeps, streamInRounds, type WireFormat } from './rounds.ts';
import { type CallTool, type RunCallsDeps, runCalls, runLogged } from './tool-pool.ts';

/** Engine, executor and folder of the code of one client. */
export interface CodeParts {
  readonly engine: ReturnType<typeof createQuickJsEngine>;
  readonly executor: CodeExecutor | null;
  /** Real path. */
  readonly cwd: string;
  readonly options: PtcOptions;
  close(): Promise<void>;
}

export function createCodeParts(options: PtcOptions): CodeParts {
  const clock = createSystemClock();
  const cwd = realpathSync(options.cwd ?? process.cwd());
  const engine = createQuickJsEngine(clock);
  const { executor = makeSubprocessExecutor({ cwd }, clock) } = options;
  const close = async (): Promise<void> => {
    await Promise.all([engine.close(), executor?.close()]);
  };
  return { engine, executor, cwd, options, close };
}

function codeTool(
  name: string,
  description: string,
  { runs, onCode }: { readonly runs: CodeRuns; readonly onCode: (execution: CodeExecution) => void },
): CallTool {
  const parameter = name === 'bash' ? 'command' : 'code';
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: { [parameter]: { type: 'string' } },
      required: [parameter],
      additionalProperties: false,
    },
    async run(args) {
      const language = name === 'code' ? 'javascript' : name;
      const execution = await runs.one(language, String(args[parameter] ?? ''));
      onCode(execution);
      return { text: executionText(execution), isError: execution.status === 'failed', execution };
    },
  };
}

const programAbout = 'A program in the working folder. It cannot call the tools of `code`.';

/** `deps` are those of a call without code, with the same tools. */
export async function inRoundsWithCode(
  call: {
    readonly body: Readonly<Record<string, unknown>>;
    readonly format: WireFormat;
    readonly deps: RoundsDeps;
    readonly calls: RunCallsDeps;
  },
  parts: CodeParts,
  asTools: boolean,
): Promise<unknown> {
  const { body, format, deps, calls } = call;
  const { tools, log } = calls;
  const { engine, executor, cwd, options } = parts;
  const { onCode = () => undefined } = options;
  const files = createConfinedFiles({ cwd, readable: [], writable: [cwd] });
  const runs = new CodeRuns({
    engine,
    executor,
    files,
    calls,
    call: (each) => runLogged(each, calls),
  });
  const isStreamed = body.stream === true;
  if (asTools) {
    const native = [
      codeTool('code', codeToolDescription(tools), { runs, onCode }),
      ...(executor ? ['bash', 'python'].map((name) => codeTool(name, programAbout, { runs, onCode })) : []),
    ];
    // Code is approved where it runs.
    const nativeCalls = { ...calls, tools: native, approve: undefined };
    const nativeDeps = {
      ...deps,
      tools: native,
      run: (each: Parameters<RoundsDeps['run']>[0]) => runCalls(each, nativeCalls),
    };
    if (isStreamed) return logged(streamInRounds(body, format, nativeDeps), log);
    return ended(answerInRounds(body, format, nativeDeps), log);
  }
  const { maxIterations } = deps.settings;
  const instructions = codeInstructions(tools, executor !== null);
  const more = {
    ...deps,
    settings: { instructions, maxIterations },
    onCode,
    run: (directives: Parameters<CodeRuns['all']>[0]) => runs.all(directives),
  };
  if (isStreamed) return logged(streamWithCode(body, format, more), log);
  return ended(answerWithCode(body, format, more), log);
}
