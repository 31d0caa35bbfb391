/**
 * Calls that no grant and no rule ever allows: a person must review each one. The reason completes "It asks
 * because". Privilege escalation is not on the list, because it is denied outright.
 */

import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { Effect } from './assessment.ts';
import { escalationIn } from './commands/escalation.ts';
import { instructsAgents, isGitInternal } from './control-files.ts';
import { isInside, isInsideAny } from './paths.ts';
import type { AgentPolicy, PolicyCall } from './policy-call.ts';

type Roots = Pick<AgentPolicy, 'roots' | 'protectedRoots' | 'ownRoots' | 'notes' | 'isRepository'>;

/** Also protects parent folders, because a folder is read, copied and removed with all its contents. */
function isProtected({ protectedRoots, ownRoots }: Roots, path: string): boolean {
  if (protectedRoots.some((root) => isInside(path, root))) return true;
  return isInsideAny(protectedRoots, path) && !isInsideAny(ownRoots, path);
}

function fileReason(policy: Roots, kind: 'read' | 'write' | 'delete', path: string): HostText | null {
  if (isProtected(policy, path)) return say('approvals.touchesKennel');
  if (kind === 'read') return null;
  if (isGitInternal(path, policy.isRepository ?? (() => false))) return say('approvals.changesGitFiles');
  const inNotes = policy.notes !== undefined && isInside(policy.notes, path);
  if (inNotes || instructsAgents(path)) return say('approvals.changesInstructions');
  const writable = [policy.roots.cwd, ...policy.roots.writable, ...policy.ownRoots];
  return isInsideAny(writable, path) ? null : say('approvals.changesOutside');
}

function effectReason(policy: Roots, call: PolicyCall, effect: Effect): HostText | null {
  switch (effect.kind) {
    case 'read':
    case 'write':
    case 'delete':
      if (effect.kind === 'delete' && call.assessment.risk === 'high') return say('approvals.deletesForGood');
      return fileReason(policy, effect.kind, effect.path);
    case 'run':
      return effect.sandbox === 'none' ? say('approvals.runsUnconfined') : null;
    case 'send':
      return call.tainted && !effect.sameThread ? say('approvals.writesAfterReading') : null;
    case 'network':
      return null;
  }
}

/** `null` if grants and rules may decide. */
export function neverAuto(policy: Roots, call: PolicyCall): HostText | null {
  for (const effect of call.assessment.effects) {
    const reason = effectReason(policy, call, effect);
    if (reason !== null) return reason;
  }
  return null;
}

/** Whether the call would gain the rights of another user; only command tools can. */
export function escalates(call: Pick<PolicyCall, 'tool' | 'args'>): boolean {
  const line = call.args.cmd ?? call.args.command;
  if (call.tool !== 'bash_exec' && call.tool !== 'shell') return false;
  return typeof line === 'string' && escalationIn(line) === 'escalation';
}
