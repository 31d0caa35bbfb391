import type { Approval, Grant } from '../contract/approvals.ts';
import { argvText } from '../contract/argv-text.ts';
import { copy } from './copy.ts';
import type { TableCell, Tone } from './table.ts';
import { visibleExactLine, visibleText } from './visible-text.ts';
import { shownMinute } from './when.ts';

// Complete questions for a terminal, with every hidden character visible.

export const questionLine = ({ agentName, title }: Pick<Approval, 'agentName' | 'title'>): string =>
  `${visibleExactLine(agentName)} ${visibleExactLine(title)}`;

const flags: Readonly<Record<string, string>> = {
  once: '',
  session: ' --session',
  exact: ' --exact',
  pattern: ' --pattern',
};

function stateWords({ state, decision, expiresAt }: Approval): string {
  if (state === 'waiting') return copy('cliApprovals.waitsUntil', { expiresAt: shownMinute(expiresAt) });
  const reason = decision?.reason ? `: ${visibleExactLine(decision.reason)}` : '';
  const outcome = copy(`cliApprovals.state_${state}`);
  if (!decision) return `${outcome}${reason}`;
  const surface = copy(`cliApprovals.surface_${decision.surface}`);
  const who = decision.by
    ? copy('cliApprovals.bySurface', { by: visibleExactLine(decision.by), surface })
    : surface;
  return copy('cliApprovals.decidedBy', { state: outcome, at: shownMinute(decision.at), who, reason });
}

export const approvalHeads = (): readonly string[] => [
  'ID',
  copy('cliHeads.state'),
  copy('cliApprovals.headAsked'),
  copy('cliApprovals.headQuestion'),
];

const approvalTones: Readonly<Record<string, Tone>> = {
  waiting: 'attention',
  allowed: 'good',
  denied: 'bad',
};

export const approvalCells = (approval: Approval): readonly TableCell[] => [
  approval.id,
  { text: stateWords(approval), tone: approvalTones[approval.state] ?? 'quiet' },
  shownMinute(approval.createdAt),
  questionLine(approval),
];

export const approvalRow = (approval: Approval): string =>
  `${approval.id}  ${shownMinute(approval.createdAt)}  ${questionLine(approval)}  (${stateWords(approval)})`;

/** Commands for a gate that needs more than yes or no. */
function otherAnswers({ id, gate, form }: Approval): readonly string[] | null {
  const input = gate?.kind === 'input' ? gate : form;
  if (input) {
    const like = input.defaultsJson === '' ? '{"…": "…"}' : visibleExactLine(input.defaultsJson);
    return [
      copy('cliApprovals.answerWithJson'),
      `  kennel approvals respond ${id} '${like}'`,
      ...(form ? [copy('cliApprovals.denyCommand', { id })] : []),
    ];
  }
  if (gate?.kind !== 'uncertain') return null;
  return [
    copy('cliApprovals.sayWhatBecame'),
    copy('cliApprovals.settleDone', { id }),
    copy('cliApprovals.settleRepeat', { id }),
    copy('cliApprovals.settleCancel', { id }),
  ];
}

/** Names the approvers whom no agent has asked in a channel. */
function notAsked({ gate, isInChannel, agentId, agentName }: Approval): readonly string[] {
  const others = (gate?.named ?? []).filter((who) => who !== 'operator');
  if (isInChannel !== false || others.length === 0) return [];
  const names = others.map(visibleExactLine).join(', ');
  return agentId === ''
    ? [copy('cliApprovals.notAskedByAny', { names })]
    : [copy('cliApprovals.notAsked', { names, agent: visibleExactLine(agentName) })];
}

function answers(approval: Approval): readonly string[] {
  const { id, state, offers, gate, preview } = approval;
  if (state !== 'waiting') return [];
  const others = otherAnswers(approval);
  if (others) return others;
  const allow = (preview.cut ? [] : offers).map(
    ({ scope, rule }) => `  kennel approvals allow ${id}${flags[scope] ?? ''}   ${visibleExactLine(rule)}`,
  );
  // Other approvers are asked in the chat; in the terminal the rule also applies to the operator.
  const named = (gate?.named ?? []).map(visibleExactLine).join(copy('cliApprovals.or'));
  const mayAnswer =
    named === '' ? copy('cliApprovals.youCanAnswer') : copy('cliApprovals.youCanAnswerAs', { named });
  return [...notAsked(approval), mayAnswer, ...allow, copy('cliApprovals.denyCommand', { id })];
}

type Effect = NonNullable<Approval['effects']>[number];

/** The resolved path, or all arguments of a program. */
function effectLine(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
      return copy('cliApprovals.reads', { path: visibleExactLine(effect.path) });
    case 'write':
      return copy('cliApprovals.writes', { path: visibleExactLine(effect.path) });
    case 'delete':
      return copy('cliApprovals.deletes', { path: visibleExactLine(effect.path) });
    case 'run':
      return copy('cliApprovals.runs', {
        argv: visibleExactLine(argvText(effect.argv)),
        cwd: visibleExactLine(effect.cwd),
      });
    case 'send':
      return copy('cliApprovals.sendsTo', { to: visibleExactLine(effect.to) });
    case 'network':
      return copy('cliApprovals.connectsTo', { host: visibleExactLine(effect.host) });
  }
}

export function approvalText(approval: Approval): string {
  const { preview, where, sandbox, risk, why, argsJson, digest, effects = [], link } = approval;
  return [
    questionLine(approval),
    copy('cliApprovals.whereAndRisk', {
      where: `${visibleExactLine(where) || '-'}${sandbox ? ` (${sandbox === 'none' ? copy('cliApprovals.noSandbox') : sandbox})` : ''}`,
      risk: copy(`cliApprovals.risk_${risk}`),
    }),
    visibleExactLine(why),
    copy('cliApprovals.stateLine', { approval: stateWords(approval) }),
    '',
    ...visibleText(preview.body)
      .split('\n')
      .map((line) => `  | ${line}`),
    '',
    ...(preview.cut ? [copy('cliApprovals.onlyBeginning')] : []),
    ...effects.map(effectLine),
    ...(link === undefined ? [] : [copy('cliApprovals.page', { link: visibleExactLine(link) })]),
    copy('cliApprovals.argumentsLine', { argsJson: visibleText(argsJson) }),
    copy('cliApprovals.digestLine', { digest }),
    ...answers(approval),
  ].join('\n');
}

export const grantRow = ({ id, agentName, rule, scope, uses, lastUsedAt }: Grant): string =>
  copy('cliApprovals.grantLine', {
    id,
    agentName: visibleExactLine(agentName),
    rule: visibleExactLine(rule),
    scope,
    uses,
    part: lastUsedAt === null ? '' : copy('cliApprovals.lastUsed', { lastUsedAt: shownMinute(lastUsedAt) }),
  });
