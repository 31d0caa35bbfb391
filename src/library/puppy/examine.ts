/** Checks the prerequisites of runs by executing one step in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { driveWithin, startRun } from './puppy.ts';
import { readSource } from './read-source.ts';
import { openStandaloneRuntime, stateFolder, type Variables } from './standalone-runtime.ts';

export interface Check {
  readonly name: HostText;
  readonly ok: boolean;
  readonly said: HostText;
}

async function trial(env: Variables): Promise<Check> {
  const name = say('workflows.checkShell');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'puppy-doctor-'));
  try {
    const opened = openStandaloneRuntime({ env, stateDir: folder, root: folder });
    if (!opened.ok) return { name, ok: false, said: messageOf(opened.error) };
    const source = readSource({ steps: [{ id: 'trial', run: 'echo ready' }] }, folder);
    const run = source.ok ? startRun(opened.value, source.value, {}) : source;
    const told = run.ok ? await driveWithin(opened.value, run.value, { timeoutMs: 10_000 }) : null;
    opened.value.close();
    if (told?.ok && told.output[0] === 'ready\n')
      return { name, ok: true, said: env.PUPPY_SHELL || '/bin/sh' };
    return { name, ok: false, said: told && !told.ok ? told.error.message : say('workflows.checkDidNotRun') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function state(env: Variables): Check {
  const name = say('workflows.checkStateFolder');
  const opened = openStandaloneRuntime({ env });
  if (!opened.ok) return { name, ok: false, said: messageOf(opened.error) };
  const open = opened.value.journal.openGates().length;
  opened.value.close();
  return {
    name,
    ok: true,
    said: say('workflows.checkQuestions', { folder: stateFolder({ env }), open }),
  };
}

function guard(): Check {
  const linux = process.platform === 'linux';
  const said = say(linux ? 'workflows.checkStepsEnded' : 'workflows.checkStepsLost');
  return { name: say('workflows.checkEndOfSteps'), ok: process.platform !== 'win32', said };
}

/** `elsewhere` describes the storage of runs if this command has no folder for them. */
export async function examineWorkflow(
  env: Variables,
  elsewhere: HostText | null = null,
): Promise<readonly Check[]> {
  const place =
    elsewhere === null ? state(env) : { name: say('workflows.checkPlaceOfRuns'), ok: true, said: elsewhere };
  return [place, await trial(env), guard()];
}
