/**
 * Command lines of an agent program, assessed like those of `shell` before the program runs them itself. Its
 * working folder is the workspace: the program returns there after each line.
 */
import type { SandboxKind } from '../../../core/policy/assessment.ts';
import { assessedTool } from '../../../core/runtimes/program/program-actions.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { type ShellPlan, shellEffects, shellPreview, shellRisk } from './shell-assessment.ts';
import { lineRefusal } from './shell-tool.ts';

export interface HarnessShellDeps {
  readonly files: Pick<ConfinedFiles, 'roots'>;
  readonly sandbox: Exclude<SandboxKind, 'confined'>;
  readonly network: boolean;
}

export function createHarnessShell({ files, sandbox, network }: HarnessShellDeps): Tool {
  return assessedTool('shell', { group: 'shell', foreign: true }, ({ cmd }) => {
    const line = typeof cmd === 'string' ? cmd : '';
    const { roots } = files;
    const preview = {
      kind: 'command',
      title: say('actions.runShellLine'),
      body: line,
      where: roots.cwd,
    } as const;
    const refusal = lineRefusal(line, sandbox !== 'none');
    if (refusal) return { risk: 'high', effects: [], preview, blocked: refusal };
    const plan: ShellPlan = { line, cwd: roots.cwd, sandbox, network, roots };
    const where = sandbox === 'none' ? say('approvals.noSandbox', { folder: roots.cwd }) : roots.cwd;
    return {
      risk: shellRisk(plan),
      effects: shellEffects(plan),
      preview: { ...preview, body: shellPreview(line), where },
    };
  });
}
