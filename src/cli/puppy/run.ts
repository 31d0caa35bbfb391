import path from 'node:path';
import { formatOf } from '../../library/puppy/human-text.ts';
import { formOf } from '../../library/puppy/read-source.ts';
import type { RunRequest, WorkflowSource } from '../../library/puppy/standalone.ts';
import { commandFailure } from '../terminal.ts';
import { type BackendFlags, requiredWord } from './arguments.ts';
import { converse } from './converse.ts';
import { isTool, type LimitFlags, limitsOf, type ModeFlags } from './limits.ts';
import { namedSource } from './named-source.ts';
import { withBackend } from './open-backend.ts';
import { untilSignal } from './signals.ts';
import { tell } from './tell.ts';

// `puppy run`: runs a workflow file or a pipeline until it ends or reaches a gate.

interface RunFlags extends BackendFlags, LimitFlags, ModeFlags {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly file?: string;
  readonly argsJson?: string;
  readonly arg: readonly string[];
  readonly cwd?: string;
  readonly key?: string;
}

function sourceOf(args: readonly string[], file: string | undefined): WorkflowSource {
  if (file === undefined) return requiredWord(args, 'giveWorkflow');
  if ((args[0] ?? '') !== '') throw commandFailure('invalid_input', 'cliPuppy.fileOrPipeline');
  return { file };
}

/** `--arg name=text` is an alternative to `--args-json`; the text is never parsed. */
function argumentsOf({ arg, argsJson: json }: RunFlags): Pick<RunRequest, 'args' | 'argsJson'> {
  const pairs = arg.map((word): [string, string] => {
    const at = word.indexOf('=');
    if (at < 1)
      throw commandFailure('invalid_input', 'cliPuppy.argPair', { word: JSON.stringify(word.slice(0, 60)) });
    return [word.slice(0, at), word.slice(at + 1)];
  });
  if (pairs.length > 0 && json !== undefined) throw commandFailure('invalid_input', 'cliPuppy.argOrJson');
  return json === undefined ? { args: Object.fromEntries(pairs) } : { argsJson: json };
}

export async function runWorkflowCommand(args: readonly string[], flags: RunFlags): Promise<number> {
  const tool = isTool(flags, 'human');
  const { cwd, key: idempotencyKey } = flags;
  const source = await namedSource(sourceOf(args, flags.file), path.resolve(cwd ?? '.'));
  const limits = limitsOf(flags);
  const format = tool ? 'json' : formatOf(source, process.cwd());
  const cap = 'pipeline' in formOf(source) ? limits.maxStdoutBytes : undefined;
  const request: RunRequest = {
    ...argumentsOf(flags),
    ...limits,
    ...(cwd === undefined ? {} : { cwd }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  if (flags.dryRun) return (await import('./dry-run.ts')).tellPlan(flags, source, request, tool);
  return untilSignal((signal) =>
    withBackend(
      { ...flags, json: tool },
      async (backend) => {
        const told = await backend.run(source, { ...request, signal });
        const last = tool ? told : await converse(backend, told, { ...limits, signal });
        return tell(last, { tool, format });
      },
      cap,
    ),
  );
}
