import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { permissionModes } from '../../core/agents/permission-mode.ts';
import type { YamlDocument } from '../../core/lib/yaml-document.ts';

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The only value of `runtime.permission_mode` that permits more than the default; the others are restrictions. */
const loose: (typeof permissionModes)[number] = 'acceptEdits';

export function permissionsOf({ policy, bash, shell, tools, runtime, triggers }: AgentConfig): string[] {
  const said: string[] = [];
  const allows = policy.rules.filter(({ action }) => action === 'allow').length;
  if (policy.mode !== 'ask') said.push(`works in the mode ${policy.mode}`);
  if (runtime.permission_mode === loose) said.push('changes files in its folders without asking');
  if (allows > 0) said.push(`has ${counted(allows, 'rule that allows', 'rules that allow')} without asking`);
  if (bash.allowed_roots.length > 0) said.push(`reads ${bash.allowed_roots.join(', ')}`);
  if (bash.writable_roots.length > 0) said.push(`writes ${bash.writable_roots.join(', ')}`);
  if (shell.unsandboxed) said.push('runs a shell without a sandbox');
  if (shell.linked_files) said.push('runs a shell on files that it shares with other folders');
  if (shell.network) said.push('runs a shell with the network');
  if (tools.alsoAllow.length > 0) said.push(`has the further tools ${tools.alsoAllow.join(', ')}`);
  if (runtime.base_url !== '') said.push(`sends what it thinks about to ${runtime.base_url}`);
  if (runtime.docker_image !== '') said.push(`runs in the container image ${runtime.docker_image}`);
  if (runtime.command.length > 0) said.push(`runs the program ${runtime.command.join(' ')}`);
  if (runtime.price) said.push('counts what it spends at prices of its own');
  if (!triggers.hold_first_contact) said.push('answers people whom you do not know');
  return said;
}

/** Keeps restrictions and removes permissions: an untrusted file grants no rights here. */
export function withoutPermissions(config: AgentConfig, document: YamlDocument): void {
  const kept = config.policy.rules.filter(({ action }) => action !== 'allow');
  for (const path of [
    ['policy', 'mode'],
    ['bash', 'allowed_roots'],
    ['bash', 'writable_roots'],
    ['shell'],
    ['tools', 'alsoAllow'],
    ['runtime', 'base_url'],
    ['runtime', 'price'],
    ['runtime', 'docker_image'],
    ['runtime', 'command'],
    ...(config.runtime.permission_mode === loose ? [['runtime', 'permission_mode']] : []),
    ['triggers', 'hold_first_contact'],
  ]) {
    document.delete(path);
  }
  if (kept.length === 0) document.delete(['policy', 'rules']);
  else document.set(['policy', 'rules'], kept);
}
