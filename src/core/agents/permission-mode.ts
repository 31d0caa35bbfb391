/**
 * `runtime.permission_mode` of agents that run a program, in terms of Kennel's policy. The names are those of Claude
 * Code. The official client writes `bypassPermissions` for every agent and sets no other mode, so here it means what
 * `default` means there: ask as the rules say.
 */
import type { PolicyMode } from '../../contract/approvals.ts';
import { runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import type { AgentConfig } from './agent-config.ts';

export const permissionModes = ['bypassPermissions', 'acceptEdits', 'plan', 'dontAsk'] as const;

type ModeConfig = Pick<AgentConfig, 'policy'> & {
  readonly runtime: Pick<AgentConfig['runtime'], 'kind' | 'permission_mode'>;
};

/** The mode of the policy, which `acceptEdits` loosens for edits in the agent's folders, and `dontAsk` tightens. */
export function policyModeOf({ policy, runtime }: ModeConfig): PolicyMode {
  if (runtimeKindFacts(runtime.kind).callsModel) return policy.mode;
  if (runtime.permission_mode === 'dontAsk') return 'unattended';
  return runtime.permission_mode === 'acceptEdits' && policy.mode === 'ask' ? 'trusted_folders' : policy.mode;
}

/** True if the agent may only read and write messages. */
export const onlyPlans = ({ runtime }: Pick<ModeConfig, 'runtime'>): boolean =>
  runtime.permission_mode === 'plan' && !runtimeKindFacts(runtime.kind).callsModel;
