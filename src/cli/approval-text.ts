import { argvText } from '../contract/argv-text.ts';
import type { Approval, Grant } from '../contract/consent.ts';
import type { TableCell, Tone } from './table.ts';
import { visibleExactLine, visibleText } from './visible-text.ts';
import { utcMinute } from './when.ts';

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
  if (state === 'waiting') return `waits until ${utcMinute(expiresAt)}`;
  const reason = decision?.reason ? `: ${visibleExactLine(decision.reason)}` : '';
  if (!decision) return `${state}${reason}`;
  const who = decision.by ? `${visibleExactLine(decision.by)} in ${decision.surface}` : decision.surface;
  return `${state} ${utcMinute(decision.at)} by ${who}${reason}`;
}

export const approvalHeads = ['ID', 'STATE', 'ASKED', 'QUESTION'] as const;

const approvalTones: Readonly<Record<string, Tone>> = {
  waiting: 'attention',
  allowed: 'good',
  denied: 'bad',
};

export const approvalCells = (approval: Approval): readonly TableCell[] => [
  approval.id,
  { text: stateWords(approval), tone: approvalTones[approval.state] ?? 'quiet' },
  utcMinute(approval.createdAt),
  questionLine(approval),
];

export const approvalRow = (approval: Approval): string =>
  `${approval.id}  ${utcMinute(approval.createdAt)}  ${questionLine(approval)}  (${stateWords(approval)})`;

/** Commands for a gate that needs more than yes or no. */
function otherAnswers({ id, gate }: Approval): readonly string[] | null {
  if (gate?.kind === 'input') {
    const like = gate.defaultsJson === '' ? '{"…": "…"}' : visibleExactLine(gate.defaultsJson);
    return ['You can answer with JSON of that form:', `  kennel approvals respond ${id} '${like}'`];
  }
  if (gate?.kind !== 'uncertain') return null;
  return [
    'You can say what became of it:',
    `  kennel approvals settle ${id} done     it did its work; the run goes on behind it`,
    `  kennel approvals settle ${id} repeat   it did not; it is done again`,
    `  kennel approvals settle ${id} cancel   the run ends`,
  ];
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
  const named = (gate?.named ?? []).map(visibleExactLine).join(' or ');
  const mayAnswer = named === '' ? 'You can answer:' : `You can answer, if you are ${named}:`;
  return [mayAnswer, ...allow, `  kennel approvals deny ${id} "why not"`];
}

type Effect = NonNullable<Approval['effects']>[number];

/** The resolved path, or all arguments of a program. */
function effectLine(effect: Effect): string {
  switch (effect.kind) {
    case 'read':
      return `Reads: ${visibleExactLine(effect.path)}`;
    case 'write':
      return `Writes: ${visibleExactLine(effect.path)}`;
    case 'delete':
      return `Deletes: ${visibleExactLine(effect.path)}`;
    case 'run':
      return `Runs: ${visibleExactLine(argvText(effect.argv))} in ${visibleExactLine(effect.cwd)}`;
    case 'send':
      return `Sends to: ${visibleExactLine(effect.to)}`;
    case 'network':
      return `Connects to: ${visibleExactLine(effect.host)}`;
  }
}

export function approvalText(approval: Approval): string {
  const { preview, where, sandbox, risk, why, argsJson, digest, effects = [] } = approval;
  return [
    questionLine(approval),
    `Where: ${visibleExactLine(where) || '-'}${sandbox ? ` (${sandbox === 'none' ? 'no sandbox' : sandbox})` : ''}   Risk: ${risk}`,
    visibleExactLine(why),
    `State: ${stateWords(approval)}`,
    '',
    ...visibleText(preview.body)
      .split('\n')
      .map((line) => `  | ${line}`),
    '',
    ...(preview.cut
      ? ['This is only the beginning. It is too large to be shown whole, so it cannot be allowed.']
      : []),
    ...effects.map(effectLine),
    `Arguments: ${visibleText(argsJson)}`,
    `Digest: ${digest}`,
    ...answers(approval),
  ].join('\n');
}

export const grantRow = ({ id, agentName, rule, scope, uses, lastUsedAt }: Grant): string =>
  `${id}  ${visibleExactLine(agentName)}  ${visibleExactLine(rule)}  (${scope}; used ${uses} times${
    lastUsedAt === null ? '' : `, last ${utcMinute(lastUsedAt)}`
  })`;
