/**
 * Decides whether a call runs, asks or is refused. Order: the tool's own refusal and any deny; calls that
 * always ask; untrusted content in the turn, and the audience (T9); standing answers; rules; the mode. A deny
 * is never loosened, and every verdict names its reason.
 */
import type { PolicyMode } from '../../contract/approvals.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { Effect } from './assessment.ts';
import { escalates, neverAuto } from './never-auto.ts';
import { isInside, isInsideAny } from './paths.ts';
import { parsePattern, toolFits, toolPatternFits } from './patterns.ts';
import {
  type AgentPolicy,
  type GrantRule,
  modeInForce,
  type PolicyCall,
  type PolicyVerdict,
} from './policy-call.ts';
import { firstRule, firstUnjudgedRule, ruleText } from './rules.ts';

const deny = (by: PolicyVerdict['by'], why: HostText): PolicyVerdict => ({ verdict: 'deny', by, why });
const allow = (by: PolicyVerdict['by'], why: HostText): PolicyVerdict => ({ verdict: 'allow', by, why });

/** In unattended mode, a question becomes a refusal. */
function ask(mode: PolicyMode, by: PolicyVerdict['by'], why: HostText): PolicyVerdict {
  if (mode === 'unattended') return deny(by, say('approvals.deniedUnattended', { why }));
  return { verdict: 'ask', by, why: say('approvals.asksBecause', { why }) };
}

/** Reaches beyond the agent's own workspace and the thread of its answer. */
function leavesWorkspace(policy: AgentPolicy, effect: Effect): boolean {
  switch (effect.kind) {
    case 'read':
      return false;
    case 'write':
    case 'delete':
      return !isInside(policy.roots.cwd, effect.path) && !isInsideAny(policy.ownRoots, effect.path);
    case 'send':
      return !effect.sameThread;
    case 'network':
      return true;
    case 'run':
      return effect.sandbox === 'none';
  }
}

function grantFits(grant: GrantRule, call: PolicyCall, policy: AgentPolicy): boolean {
  if (grant.tool !== call.tool) return false;
  if (grant.digest !== null) return grant.digest === call.digest;
  const base = { cwd: policy.roots.cwd, home: policy.home };
  return toolPatternFits(grant.pattern, call, base, 'covers');
}

/** A standing answer of the operator, for exactly this call or for its pattern. */
function byGrant(
  policy: AgentPolicy,
  call: PolicyCall,
  grants: readonly GrantRule[],
  exactOnly: boolean,
): PolicyVerdict | null {
  const usable = grants.filter(({ scope }) => !exactOnly || scope === 'exact');
  const found = usable.find((grant) => grantFits(grant, call, policy));
  if (!found) return null;
  return { ...allow('grant', say('approvals.allowedBefore')), grantId: found.id };
}

/** All effects stay within a sandbox or a confined root. */
function isHeld(policy: AgentPolicy, effect: Effect): boolean {
  switch (effect.kind) {
    case 'read':
      return isInsideAny(
        [policy.roots.cwd, ...policy.roots.readable, ...policy.roots.writable, ...policy.ownRoots],
        effect.path,
      );
    case 'write':
    case 'delete':
      return isInsideAny([policy.roots.cwd, ...policy.roots.writable, ...policy.ownRoots], effect.path);
    case 'run':
      return effect.sandbox !== 'none';
    case 'send':
      return effect.sameThread;
    case 'network':
      return false;
  }
}

/** Only changes files, through a confined tool. */
function onlyWrites(effects: readonly Effect[]): boolean {
  const writes = (effect: Effect): boolean => effect.kind === 'write' || effect.kind === 'delete';
  const harmless = (effect: Effect): boolean =>
    effect.kind === 'read' || (effect.kind === 'run' && effect.sandbox === 'confined');
  return effects.some(writes) && effects.every((effect) => writes(effect) || harmless(effect));
}

function byMode(policy: AgentPolicy, call: PolicyCall, mode: PolicyMode): PolicyVerdict {
  const { risk, effects } = call.assessment;
  const held = effects.every((effect) => isHeld(policy, effect));
  if (mode === 'unattended') {
    return held
      ? allow('mode', say('approvals.staysInFolders'))
      : deny('mode', say('approvals.deniedOutside'));
  }
  if (risk === 'low') return allow('mode', say('approvals.lowRisk'));
  if (mode === 'trusted_folders' && held && onlyWrites(effects)) {
    return allow('mode', say('approvals.trustedFolders'));
  }
  return ask(mode, 'mode', risk === 'high' ? say('approvals.hardToUndo') : say('approvals.changesSomething'));
}

const acting: ReadonlySet<Effect['kind']> = new Set(['write', 'delete', 'run']);

/** Whether a tool is offered at all is decided by its name, in `core/tools/tool-set.ts`. */
function exceedsPatterns({ allowedTools = [], roots, home }: AgentPolicy, call: PolicyCall): boolean {
  const naming = allowedTools.filter((text) => {
    const pattern = parsePattern(text);
    return pattern !== null && toolFits(pattern.name, call.tool, call.group);
  });
  const base = { cwd: roots.cwd, home };
  return naming.length > 0 && !naming.some((text) => toolPatternFits(text, call, base, 'covers'));
}

/** Refusals that no grant or rule can loosen. */
function forbidden(policy: AgentPolicy, call: PolicyCall): PolicyVerdict | null {
  const { blocked } = call.assessment;
  if (blocked) return deny('tool', blocked.message);
  if (escalates(call)) return deny('never_auto', say('approvals.deniedEscalation'));
  if (policy.onlyPlans === true && call.assessment.effects.some(({ kind }) => acting.has(kind)))
    return deny('mode', say('approvals.deniedPlanning'));
  if (exceedsPatterns(policy, call)) return deny('rule', say('approvals.deniedByAllowedTools'));
  const rule = firstRule(policy, call, 'deny');
  return rule ? deny('rule', say('approvals.deniedByRule', { rule: ruleText(rule) })) : null;
}

export function decide(policy: AgentPolicy, call: PolicyCall, grants: readonly GrantRule[]): PolicyVerdict {
  const mode = modeInForce(policy);
  const no = forbidden(policy, call);
  if (no) return no;
  const never = neverAuto(policy, call);
  if (never !== null) return ask(mode, 'never_auto', never);
  const tainted = call.tainted && call.assessment.effects.some((effect) => leavesWorkspace(policy, effect));
  const unjudged = firstUnjudgedRule(policy, call);
  const exactOnly = tainted || call.heldBack !== undefined || unjudged !== null;
  const granted = byGrant(policy, call, grants, exactOnly);
  if (granted) return granted;
  if (tainted) return ask(mode, 'taint', say('approvals.actsAfterReading'));
  if (call.heldBack) {
    const { who, what } = call.heldBack;
    return ask(mode, 'release', say('approvals.revealsTo', { who, what }));
  }
  if (unjudged) return ask(mode, 'rule', say('approvals.cannotJudge', { rule: ruleText(unjudged) }));
  const asking = firstRule(policy, call, 'ask');
  if (asking) return ask(mode, 'rule', say('approvals.ruleSays', { rule: ruleText(asking) }));
  const allowing = firstRule(policy, call, 'allow');
  if (allowing) return allow('rule', say('approvals.allowedByRule', { rule: ruleText(allowing) }));
  return byMode(policy, call, mode);
}
