/**
 * Matches the rules of agent.yml and daemon.yml: all given fields must match, and an empty rule matches every
 * call.
 */
import type { PolicyRule } from '../../contract/approvals.ts';
import type { Effect } from './assessment.ts';
import { effectPathFits, type Sense } from './effect-path.ts';
import type { PathBase } from './paths.ts';
import { cannotJudge, toolFits, toolPatternFits } from './patterns.ts';
import type { AgentPolicy, PolicyCall } from './policy-call.ts';

/** An allow rule needs every effect on a matching path; an ask or deny rule needs only one. */
function pathRuleFits(pattern: string, call: PolicyCall, base: PathBase, sense: Sense): boolean {
  const { effects } = call.assessment;
  const fits = (effect: Effect): boolean => effectPathFits(pattern, call, effect, { base, sense });
  return sense === 'covers' ? effects.length > 0 && effects.every(fits) : effects.some(fits);
}

export function ruleFits(rule: PolicyRule, call: PolicyCall, base: PathBase): boolean {
  const sense: Sense = rule.action === 'allow' ? 'covers' : 'meets';
  if (rule.tool !== undefined && !toolFits(rule.tool, call.tool, call.group)) return false;
  if (rule.risk !== undefined && rule.risk !== call.assessment.risk) return false;
  if (rule.pattern !== undefined && !toolPatternFits(rule.pattern, call, base, sense)) return false;
  return rule.path === undefined || pathRuleFits(rule.path, call, base, sense);
}

/** Readable form: `deny Bash(rm *)`. */
export function ruleText(rule: PolicyRule): string {
  const { action, tool, pattern, path, risk } = rule;
  const parts = [
    pattern ?? tool ?? 'anything',
    pattern && tool ? `of ${tool}` : '',
    path ? `on ${path}` : '',
  ];
  return [action, ...parts, risk ? `of ${risk} risk` : ''].filter((part) => part !== '').join(' ');
}

/** The agent's rules come first, then those for all; the order decides only which one is named. */
export function firstRule(
  policy: Pick<AgentPolicy, 'rules' | 'daemon' | 'roots' | 'home'>,
  call: PolicyCall,
  action: PolicyRule['action'],
): PolicyRule | null {
  const base = { cwd: policy.roots.cwd, home: policy.home };
  const all = [...policy.rules, ...policy.daemon.rules];
  return all.find((rule) => rule.action === action && ruleFits(rule, call, base)) ?? null;
}

/** First rule that denies or asks about commands, if the call runs code that the rule cannot read. */
export function firstUnjudgedRule(
  policy: Pick<AgentPolicy, 'rules' | 'daemon' | 'roots' | 'home'>,
  call: PolicyCall,
): PolicyRule | null {
  const base = { cwd: policy.roots.cwd, home: policy.home };
  const all = [...policy.rules, ...policy.daemon.rules];
  const found = all.find(({ pattern, ...rule }) => {
    if (rule.action === 'allow' || pattern === undefined || !cannotJudge(pattern, call)) return false;
    return ruleFits(rule, call, base);
  });
  return found ?? null;
}
