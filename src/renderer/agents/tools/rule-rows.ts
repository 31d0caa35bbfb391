/**
 * Policy rules while they are edited: text in every field, parsed into rules of the contract when complete.
 */

import { type PolicyRule, policyRuleSchema } from '../../../contract/approvals.ts';
import { t } from '../../../language/texts.ts';

export interface RuleRow {
  readonly key: number;
  readonly action: PolicyRule['action'];
  readonly tool: string;
  readonly pattern: string;
  readonly path: string;
  readonly risk: '' | 'low' | 'medium' | 'high';
}

let lastKey = 0;

export const blankRow = (): RuleRow => ({
  key: ++lastKey,
  action: 'ask',
  tool: '',
  pattern: '',
  path: '',
  risk: '',
});

export const rowOf = (rule: PolicyRule): RuleRow => ({
  key: ++lastKey,
  action: rule.action,
  tool: rule.tool ?? '',
  pattern: rule.pattern ?? '',
  path: rule.path ?? '',
  risk: rule.risk ?? '',
});

/** Returns the parsed rules, and the error of each invalid row by its key. */
export function rulesOf(rows: readonly RuleRow[]): {
  readonly rules: readonly PolicyRule[];
  readonly faults: ReadonlyMap<number, string>;
} {
  const rules: PolicyRule[] = [];
  const faults = new Map<number, string>();
  for (const row of rows) {
    const fault = faultOf(row);
    const parsed = policyRuleSchema.safeParse(ruleOf(row));
    if (fault !== null) faults.set(row.key, fault);
    else if (parsed.success) rules.push(parsed.data);
    else faults.set(row.key, parsed.error.issues[0]?.message ?? t('tools.notARule'));
  }
  return { rules, faults };
}

function ruleOf({ key: _, action, risk, ...texts }: RuleRow): unknown {
  const given = Object.entries(texts)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return { action, ...Object.fromEntries(given), ...(risk === '' ? {} : { risk }) };
}

function faultOf({ action, tool, pattern, path, risk }: RuleRow): string | null {
  const says = [tool, pattern, path].some((text) => text.trim() !== '') || risk !== '';
  if (!says && action === 'allow') return t('tools.allowsAll');
  if (pattern.trim() !== '' && !/^[^()]+\(.*\)$/s.test(pattern.trim())) return t('tools.patternForm');
  return null;
}
