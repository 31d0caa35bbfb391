import type { PermissionOption, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { approvalText, questionLine } from '../approval-text.ts';
import { copy } from '../copy.ts';
import { visibleExactLine } from '../visible-text.ts';
import { diffHunks } from './diff-hunks.ts';
import { textContent, toolKind } from './tool-updates.ts';

// A question to the operator as a permission request of an editor.

/** Questions that need more than yes or no are answered in Kennel. */
export const isAnswerableInEditor = ({ gate, kind }: Approval): boolean =>
  kind !== 'question' && (gate === undefined || gate.kind === 'approval');

const deny = 'deny';

/** Editors render Markdown: outside of a fence it could hide a part of the question, e.g. as a comment (T8). */
function asCode(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The complete question as the terminal shows it, with diffs that the editor can draw. */
export function permissionCall(approval: Approval, toolCallId: string): ToolCallUpdate {
  const { argsJson, effects = [], preview, subject } = approval;
  const paths = effects.flatMap((effect) => ('path' in effect ? [effect.path] : []));
  const [written] = effects.flatMap((effect) => (effect.kind === 'write' ? [effect.path] : []));
  const hunks = preview.kind === 'diff' && written !== undefined ? diffHunks(preview.body) : [];
  const diffs = hunks.map((hunk): ToolCallContent => ({ type: 'diff', path: written ?? '', ...hunk }));
  return {
    toolCallId,
    title: questionLine(approval),
    kind: toolKind(subject),
    status: 'pending',
    rawInput: parsed(argsJson),
    locations: [...new Set(paths)].map((path) => ({ path })),
    content: [...diffs, textContent(asCode(approvalText(approval)))],
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** An answer for good is offered only with its rule; nothing that is shown incomplete can be allowed. */
export function permissionOptions({ offers, preview }: Approval): PermissionOption[] {
  const allow = (preview.cut ? [] : offers).map(({ scope, rule }): PermissionOption => {
    const name = copy(`cliAcp.allow_${scope}`, { rule: visibleExactLine(rule) });
    return { optionId: scope, name, kind: scope === 'once' ? 'allow_once' : 'allow_always' };
  });
  return [...allow, { optionId: deny, name: copy('cliAcp.deny'), kind: 'reject_once' }];
}

/** `null` for an option that was not offered. */
export function permissionAnswer({ offers, preview }: Approval, optionId: string): ApprovalAnswer | null {
  if (optionId === deny) return { type: 'deny', reason: '' };
  const offer = preview.cut ? undefined : offers.find(({ scope }) => scope === optionId);
  return offer === undefined ? null : { type: 'allow', scope: offer.scope };
}
