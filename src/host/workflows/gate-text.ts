import { isAbsolute, relative, sep } from 'node:path';
import type { Approval } from '../../contract/approvals.ts';
import type { ApprovalRow } from '../../core/approvals/approval-ports.ts';
import { cutCodePoints } from '../../core/lib/text.ts';
import type { GateContent, RunOrigin } from '../../core/workflows/engine/events.ts';
import { isPreviewCut } from '../../core/workflows/engine/gates.ts';
import type { GateState } from '../../core/workflows/engine/run-state.ts';
import { jsonOrEmpty, runTitle, viewContent } from '../../core/workflows/views/run-views.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

// The text of a gate's question; it contains everything that the content hash covers.

/** Code points of a prompt in a title. */
const titlePoints = 160;
/** ms; expiry of a question without a deadline. */
const tenYears = 3650 * 86_400_000;

export interface AskedIn {
  readonly run: string;
  readonly runName: string;
  readonly definition: string;
  readonly origin: RunOrigin | null;
  readonly starter: HostText;
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly room: { readonly roomId: string; readonly threadRootId: string | null } | null;
  /** ms since the epoch. */
  readonly askedAt: number;
}

function itemLines(items: GateContent['items']): readonly string[] {
  if (items.length === 0) return [];
  return [
    `${items.length === 1 ? '1 item' : `${items.length} items`}:`,
    ...items.map((item) => `- ${jsonOrEmpty(item)}`),
  ];
}

const part = (title: string, text: string | null): readonly string[] =>
  text === null || text.trim() === '' ? [] : [`${title}:`, text.trimEnd()];

function approverLines({ approvers }: GateContent): readonly string[] {
  const { named, needed, notInitiator } = approvers;
  const who = named.length > 0 ? [`Only ${named.join(', ')} can decide this.`] : [];
  const many = needed > 1 ? [`${needed} of them must agree.`] : [];
  const other = notInitiator ? ['Whoever started it cannot.'] : [];
  const all = [...who, ...many, ...other].join(' ');
  return all === '' ? [] : [all];
}

const json = (value: GateContent['schema']): string | null => (value === null ? null : jsonOrEmpty(value));

/** Prompt, items, preview, subject and form, one paragraph each. */
export function bodyOf(content: GateContent): string {
  const parts = [
    [content.prompt],
    itemLines(content.items),
    part('Preview', content.preview),
    part('About', json(content.subject)),
    part('The answer has this form', json(content.schema)),
    approverLines(content),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

const offers: Readonly<Record<GateContent['kind'], Approval['offers']>> = {
  approval: [{ scope: 'once', rule: say('approvals.thisStepOnce') }],
  input: [],
  uncertain: [],
};

const whys = {
  approval: 'approvals.runNeedsApproval',
  input: 'approvals.runNeedsAnswer',
  uncertain: 'approvals.stepUncertain',
} as const;

/** Name and folder covered by the content hash, or those of the run for a gate of an earlier version. */
function shownWorkflow({ runName, origin }: AskedIn, { workflow }: GateContent) {
  const { cwd, file } = workflow ?? { cwd: origin?.cwd ?? null, file: origin?.file ?? null };
  const name = workflow ? runTitle(workflow.name, file) : runName;
  return { name, where: cwd !== null && file ? `${fileFrom(cwd, file)} in ${cwd}` : (cwd ?? '') };
}

export function gateFromState(
  asked: AskedIn,
  { path, content, votes }: GateState,
): NonNullable<Approval['gate']> {
  return {
    runId: asked.run,
    runName: shownWorkflow(asked, content).name,
    path,
    ...viewContent(content),
    votes: votes.map((vote) => vote ?? ''),
  };
}

/** A path relative to the working folder, or an absolute one if the file is outside of it. */
export function fileFrom(cwd: string, file: string): string {
  const way = relative(cwd, file);
  return isAbsolute(way) || way.split(sep)[0] === '..' ? file : way;
}

export function questionOf(asked: AskedIn, gate: GateState): ApprovalRow {
  const { content } = gate;
  const { agent, run } = asked;
  const { name: runName, where } = shownWorkflow(asked, content);
  const prompt = content.question ?? cutCodePoints(content.prompt.replace(/\s+/gu, ' ').trim(), titlePoints);
  const approval: Approval = {
    id: gate.id,
    kind: 'workflow',
    agentId: agent?.id ?? '',
    agentName: agent?.name ?? runName,
    subject: runName,
    title: agent
      ? say('approvals.asksAbout', { workflow: runName, prompt })
      : say('approvals.asks', { prompt }),
    preview: { kind: 'text', body: bodyOf(content), ...(isPreviewCut(content) ? { cut: true } : {}) },
    argsJson: JSON.stringify({ run, workflow: runName, step: gate.path, definition: asked.definition }),
    digest: gate.contentHash,
    risk: 'medium',
    why: say(whys[content.kind], { workflow: runName, starter: asked.starter }),
    where,
    sandbox: null,
    roomId: asked.room?.roomId ?? null,
    threadRootId: asked.room?.threadRootId ?? null,
    createdAt: asked.askedAt,
    expiresAt: gate.expiresAt ?? asked.askedAt + tenYears,
    state: 'waiting',
    gate: gateFromState(asked, gate),
    quietUntil: null,
    offers: offers[content.kind],
    decision: null,
  };
  const call = { agentId: approval.agentId, turnId: run, threadKey: run, callId: gate.id };
  return { approval, call, pattern: '', deliveredAt: null, post: null };
}
