/** Runs in the formats of the command line, from the views of a host or of a state folder. */

import type { RunGate, RunStep, RunSummary } from '../../contract/workflow-methods.ts';
import { type Envelope, type EnvelopeFacts, envelopeOf } from '../../core/workflows/engine/envelope.ts';
import type { EventRow } from '../../core/workflows/engine/events.ts';
import { isFinished } from '../../core/workflows/engine/run-state.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { jsonValue } from './fit-envelope.ts';

/** Renders a text of Kennel for the reader: in English for programs. */
export type RenderText = (text: HostText) => string;

export interface RunItem {
  readonly id: string;
  /** `interrupted`: no process drives it and no gate is open; it can be continued. */
  readonly status: RunSummary['status'] | 'interrupted' | 'needs_approval' | 'needs_input';
  readonly name: string | null;
  readonly file: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly ageSeconds: number;
  readonly wakeAt: string | null;
  readonly message: string | null;
  readonly asks: readonly OpenQuestion[];
}

interface OpenQuestion {
  readonly path: string;
  readonly kind: RunGate['kind'];
  readonly prompt: string;
  /** For `resume --id` on this computer; empty if only a token is valid. */
  readonly approvalId: string;
  readonly token?: string;
  readonly expiresAt: string | null;
}

interface StepView {
  readonly path: string;
  readonly state: RunStep['state'];
  readonly attempts: number;
  readonly startedAt: string;
  readonly output: string;
  readonly error: string | null;
  /** For a running `agent` step on a host: its task, and the reason for waiting. */
  readonly now?: string;
}

export interface RunDetail extends RunItem {
  readonly definition: string;
  readonly args: { readonly [name: string]: Json };
  readonly initiatedBy: string | null;
  readonly cwd: string | null;
  /** Known US dollars. */
  readonly costUsd: number;
  /** US dollars at the demo's sample prices. */
  readonly simulatedUsd: number;
  /** Tokens without a known price. */
  readonly unpriced: number;
  readonly steps: readonly StepView[];
  readonly decisions: readonly DecisionView[];
}

interface DecisionView {
  readonly path: string;
  readonly prompt: string;
  readonly decision: string;
  readonly by: string | null;
  /** Reason of a rejection, or `null` if none was given. */
  readonly reason: string | null;
  /** Hash of exactly the content shown. */
  readonly contentHash: string;
}

export interface RunLogView {
  readonly id: string;
  readonly events: readonly EventRow[];
  /** The first event that breaks the hash chain, or `null` if the history is intact. */
  readonly brokenAt: number | null;
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
/** Keeps every digit of large whole numbers. */
const parsed = (json: string) => (json === '' ? null : jsonValue(json)) as Json;
const nullIfEmpty = (text = ''): string | null => (text === '' ? null : text);

/** Identifies a gate by its id and content hash, so that an answer never applies to different content. */
export const tokenOf = ({ id, contentHash }: Pick<RunGate, 'id' | 'contentHash'>): string =>
  `${id}.${contentHash}`;

/** `null` for a token of another format, which the host must resolve. */
export function readToken(token: string): { readonly gate: string; readonly digest: string } | null {
  const [, gate, digest] = /^([0-9a-f-]{36})\.([0-9a-f]{64})$/.exec(token) ?? [];
  return gate === undefined || digest === undefined ? null : { gate, digest };
}

export function itemOf(
  run: RunSummary,
  gates: readonly RunGate[],
  render: RenderText = englishText,
): RunItem {
  const open = isFinished(run.status) ? [] : gates.filter(({ decision }) => decision === null);
  const asks = open[0]?.kind === 'input' ? 'needs_input' : 'needs_approval';
  return {
    id: run.id,
    status: run.status === 'waiting' && run.gates.length > 0 ? asks : run.status,
    name: nullIfEmpty(run.name),
    file: nullIfEmpty(run.file),
    createdAt: timeOf(run.createdAt) ?? '',
    ageSeconds: Math.max(0, Math.round((Date.now() - run.createdAt) / 1000)),
    wakeAt: timeOf(run.wakeAt),
    message: nullIfEmpty(render(run.message)),
    asks: open.map(({ path, kind, prompt, expiresAt, ...gate }) => ({
      path,
      kind,
      prompt: englishText(prompt),
      approvalId: gate.shortId ?? '',
      ...(gate.shortId ? {} : { token: tokenOf(gate) }),
      expiresAt: timeOf(expiresAt),
    })),
  };
}

interface KnownRun {
  readonly run: RunSummary;
  readonly argsJson: string;
  readonly steps: readonly Pick<RunStep, 'path' | 'state' | 'attempts' | 'startedAt' | 'output' | 'error'>[];
  readonly gates: readonly RunGate[];
}

/** `now` describes running `agent` steps, by path. */
export const detailOf = (
  { run, argsJson, steps, gates }: KnownRun,
  now: ReadonlyMap<string, HostText> = new Map(),
  render: RenderText = englishText,
): RunDetail => ({
  ...itemOf(run, gates, render),
  definition: run.definition,
  args: jsonValue(argsJson) as RunDetail['args'],
  initiatedBy: nullIfEmpty(run.initiatedBy),
  cwd: null,
  costUsd: run.costUsd,
  simulatedUsd: run.simulatedUsd,
  unpriced: run.unpriced,
  steps: steps.map(({ path, state, attempts, startedAt, output, error }) => ({
    path,
    state,
    attempts,
    output,
    startedAt: timeOf(startedAt) ?? '',
    error: nullIfEmpty(render(error)),
    ...(now.has(path) ? { now: render(now.get(path) ?? '') } : {}),
  })),
  decisions: gates.flatMap(({ path, prompt, decision, decidedBy, reason, contentHash }) =>
    decision === null
      ? []
      : [
          {
            path,
            prompt: englishText(prompt),
            decision,
            by: nullIfEmpty(decidedBy),
            reason: nullIfEmpty(reason),
            contentHash,
          },
        ],
  ),
});

function askedIn(gate: RunGate): EnvelopeFacts['gate'] {
  const { kind, prompt, items, preview, named: approvers, needed, notInitiator } = gate;
  return {
    token: tokenOf(gate),
    shortId: gate.shortId ?? '',
    content: {
      kind,
      prompt: englishText(prompt),
      items: items.map(parsed),
      preview: nullIfEmpty(preview),
      schema: parsed(gate.schemaJson),
      defaults: parsed(gate.defaultsJson),
      subject: parsed(gate.subjectJson),
      approvers: { named: approvers, needed, notInitiator },
    },
  };
}

/** `null` while the run continues. */
export function runEnvelope(
  run: RunSummary,
  gates: readonly RunGate[],
  outputJson: string,
  render: RenderText = englishText,
): Envelope | null {
  const { id, status, message, initiatedBy, wakeAt } = run;
  if (status === 'running') return null;
  const open = gates.find(({ decision }) => decision === null);
  return envelopeOf({
    run: id,
    status,
    message: nullIfEmpty(render(message)),
    initiatedBy: nullIfEmpty(initiatedBy),
    result: outputJson === '' ? null : { json: parsed(outputJson) },
    gate: open ? askedIn(open) : null,
    wakeAt,
  });
}
