/** `bash_exec` over a real workspace: `work` is writable, `ro` is read-only, `outside` is neither. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessRequest } from '../../src/core/tools/process-ports.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { createSystemClock } from '../../src/services/clock/system-clock.ts';
import { createProcessPort } from '../../src/services/executors/process.ts';
import { createConfinedFiles } from '../../src/services/tools/confined/confined-files.ts';
import {
  type BashToolPorts,
  createBashExecTool,
} from '../../src/services/tools/restricted-commands/bash-exec-tool.ts';
import type { BashDetails } from '../../src/services/tools/restricted-commands/bash-result.ts';
import { callTool } from './call-tool.ts';

export interface BashRig {
  readonly parent: string;
  readonly root: string;
  readonly ports: BashToolPorts;
  readonly tool: Tool;
  readonly started: ProcessRequest[];
  at(...names: string[]): string;
  put(path: string, content?: string): void;
  /** Output of the command, or `! reason` if it was refused. */
  run(cmd: string, more?: Readonly<Record<string, unknown>>, meanwhile?: () => void): Promise<string>;
  details(cmd: string, more?: Readonly<Record<string, unknown>>): Promise<BashDetails>;
  dispose(): void;
}

export function createBashRig(more: Partial<BashToolPorts> = {}): BashRig {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'kennel-bash-rig-')));
  const at = (...names: string[]): string => join(parent, ...names);
  for (const name of ['work', 'ro', 'outside']) mkdirSync(at(name));
  writeFileSync(at('outside/secret.txt'), 'TOP-SECRET\n');
  const started: ProcessRequest[] = [];
  const clock = createSystemClock();
  const port = createProcessPort({ clock });
  const ports: BashToolPorts = {
    files: createConfinedFiles({ cwd: at('work'), readable: [at('ro')], writable: [at('work')] }),
    process: {
      run: (request, signal) => {
        started.push(request);
        return port.run(request, signal);
      },
    },
    clock,
    ...more,
  };
  const tool = createBashExecTool(ports);
  const call: BashRig['run'] = async (cmd, args = {}, meanwhile) => {
    const { assessment, output } = await callTool(tool, { cmd, ...args }, meanwhile);
    const blocked = assessment.blocked?.reason ?? (output?.details as BashDetails | undefined)?.block_reason;
    if (blocked) return `! ${blocked}`;
    if (!output) return '! changed between two assessments';
    const { stdout, stderr } = output.details as BashDetails;
    return stdout + stderr;
  };
  return {
    parent,
    root: at('work'),
    ports,
    tool,
    started,
    at,
    put: (path, content = '') => {
      mkdirSync(join(at(path), '..'), { recursive: true });
      writeFileSync(at(path), content);
    },
    run: call,
    details: async (cmd, args = {}) =>
      (await callTool(tool, { cmd, ...args })).output?.details as BashDetails,
    dispose: () => rmSync(parent, { recursive: true, force: true }),
  };
}
