/** `run` steps: one script for a non-login shell. Its standard output is the result of the step. */

import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { withNextStep } from '../../core/lib/with-next-step.ts';
import type { StepCall, StepOutcome, StepRunner } from '../../core/workflows/engine/engine-ports.ts';
import type { FailureCode } from '../../core/workflows/engine/events.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { renderShell } from '../../core/workflows/file/shell-text.ts';
import { renderTemplate } from '../../core/workflows/file/template.ts';
import { exactJsonText, type JsonValue } from '../../core/workflows/pipeline/exact-json.ts';
import type { ExecPort } from '../../core/workflows/pipeline/pipeline-ports.ts';
import { say } from '../../language/say.ts';
import { confinedFolder } from './confined-folder.ts';
import { type Environment, stepEnvironment } from './step-environment.ts';
import type { StepPlace, StepProcesses } from './step-processes.ts';

export interface ShellPorts {
  readonly processes: StepProcesses;
  readonly env: Environment;
  /** Absolute working folder of runs that name none. */
  readonly root: string;
  /** Maximum bytes of one program's standard output. */
  readonly maxBytes: number;
}

/** Characters of error output shown for a failed program. */
const shownLength = 2_000;

const codes: Partial<Record<AppError['code'], FailureCode>> = {
  cancelled: 'cancelled',
  too_large: 'too_large',
  timeout: 'timeout',
};

export const failedBy = (error: AppError, retry: boolean): StepOutcome => ({
  type: 'failed',
  code: codes[error.code] ?? 'failed',
  message: withNextStep(error),
  retry,
});

/** Folder and environment of a step; the step's own folder wins over that of its file. */
export function placeOfStep(call: StepCall, ports: ShellPorts): Result<StepPlace> {
  const folder = call.step.cwd ?? call.definition.cwd;
  const wanted = folder ? renderTemplate(folder, call.scope) : '.';
  const cwd = confinedFolder(call.origin?.cwd ?? ports.root, wanted === '' ? '.' : wanted);
  if (!cwd.ok) return cwd;
  return ok({ cwd: cwd.value, env: stepEnvironment(ports.env, call), maxBytes: ports.maxBytes });
}

/** Texts unchanged, everything else as one line of JSON. */
const stdinText = (stdin: Json | undefined): string | null =>
  stdin === undefined ? null : exactJsonText(stdin as JsonValue);

interface Ended {
  readonly stdout: string;
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

async function collect(
  exec: ExecPort,
  line: string,
  stdin: string | null,
  signal: AbortSignal,
): Promise<Result<Ended>> {
  const parts: string[] = [];
  for await (const event of exec.start({ command: { kind: 'shell', line }, stdin }, signal)) {
    if (!event.ok) return event;
    if (event.value.type === 'stdout') parts.push(event.value.text);
    else return ok({ ...event.value, stdout: parts.join('') });
  }
  return err(fail('io_error', 'workflows.programGaveNoExit'));
}

function outcomeOf(id: string, ended: Ended): StepOutcome {
  const { stdout, code, signal, stderr } = ended;
  if (code === 0) return { type: 'done', stdout };
  const said = (stderr.trim() || stdout.trim()).slice(-shownLength);
  const how = code ?? signal ?? 'ended';
  const message =
    said === ''
      ? say('workflows.stepFailed', { step: id, how })
      : say('workflows.stepFailedOutput', { step: id, how, what: said });
  return { type: 'failed', code: 'failed', message, retry: true };
}

export function createShellRunner(ports: ShellPorts): StepRunner {
  return {
    gated: true,
    async run(call) {
      const { step, scope } = call;
      if (step.kind !== 'run') return failedBy(fail('internal', 'workflows.notRunStep'), false);
      const line = renderShell(step.shell, scope);
      if (!line.ok) return failedBy(line.error, false);
      const place = placeOfStep(call, ports);
      if (!place.ok) return failedBy(place.error, false);
      const exec = ports.processes.of(call, place.value);
      const ended = await collect(exec, line.value, stdinText(call.stdin), call.signal);
      return ended.ok ? outcomeOf(step.id, ended.value) : failedBy(ended.error, false);
    },
  };
}
