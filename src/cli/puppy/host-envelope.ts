import type { RunGate, RunSummary } from '../../contract/workflow-methods.ts';
import { jsonValue } from '../../library/puppy/fit-envelope.ts';
import type { Envelope, RunDetail, RunItem } from '../../library/puppy/standalone.ts';

// Converts the host's runs to the formats of these commands. A gate is identified by its id and content hash,
// so an answer can never apply to different content; the host knows its owner itself.

/** Keeps every digit of large whole numbers. */
const parsed = (json: string): unknown => (json === '' ? null : jsonValue(json));
const timeOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const named = (text: string): string | null => (text === '' ? null : text);

export const tokenOf = ({ id, contentHash }: Pick<RunGate, 'id' | 'contentHash'>): string =>
  `${id}.${contentHash}`;

/** `null` for a token of another format, which the host must resolve. */
export function readToken(token: string): { readonly gate: string; readonly digest: string } | null {
  const [, gate, digest] = /^([0-9a-f-]{36})\.([0-9a-f]{64})$/.exec(token) ?? [];
  return gate === undefined || digest === undefined ? null : { gate, digest };
}

const base = {
  protocolVersion: 1,
  ok: true,
  output: [],
  requiresApproval: null,
  requiresInput: null,
} as const;

function asked(runId: string, initiatedBy: string, gate: RunGate): Envelope {
  const resumeToken = tokenOf(gate);
  const { prompt } = gate;
  if (gate.kind === 'input') {
    return {
      ...base,
      status: 'needs_input',
      runId,
      requiresInput: {
        type: 'input_request',
        prompt,
        responseSchema: parsed(gate.schemaJson) as never,
        ...(gate.defaultsJson === '' ? {} : { defaults: parsed(gate.defaultsJson) as never }),
        ...(gate.subjectJson === '' ? {} : { subject: parsed(gate.subjectJson) as never }),
        resumeToken,
      },
    };
  }
  return {
    ...base,
    status: 'needs_approval',
    runId,
    requiresApproval: {
      type: 'approval_request',
      prompt,
      items: gate.items.map((item) => parsed(item) as never),
      ...(gate.preview === '' ? {} : { preview: gate.preview }),
      ...(initiatedBy === '' ? {} : { initiatedBy }),
      ...(gate.named.length === 0 ? {} : { requiredApprover: gate.named.join(', ') }),
      ...(gate.notInitiator ? { requireDifferentApprover: true } : {}),
      resumeToken,
      ...(gate.shortId ? { approvalId: gate.shortId } : {}),
      ...(gate.kind === 'uncertain' ? { kind: 'uncertain' as const } : {}),
    },
  };
}

const listOf = (json: string): readonly unknown[] => {
  const value = parsed(json);
  if (json === '') return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
};

/** `null` while the run continues. */
export function envelopeOf(run: RunSummary, gates: readonly RunGate[], outputJson: string): Envelope | null {
  const runId = run.id;
  const open = gates.find(({ decision }) => decision === null);
  switch (run.status) {
    case 'failed': {
      const message = run.message || 'The run failed.';
      return { protocolVersion: 1, ok: false, error: { type: 'runtime_error', message }, runId };
    }
    case 'ok':
      return { ...base, status: 'ok', output: listOf(outputJson) as never, runId };
    case 'cancelled':
      return { ...base, status: 'cancelled', runId };
    case 'waiting':
      if (open) return asked(runId, run.initiatedBy, open);
      return { ...base, status: 'waiting', runId, ...(run.wakeAt === null ? {} : { wakeAt: run.wakeAt }) };
    default:
      return null;
  }
}

export function itemOf(run: RunSummary, gates: readonly RunGate[]): RunItem {
  const open = gates.filter(({ decision }) => decision === null);
  const [first] = open;
  const asks = first?.kind === 'input' ? 'needs_input' : 'needs_approval';
  return {
    id: run.id,
    status: run.status === 'waiting' && run.gates.length > 0 ? asks : run.status,
    name: named(run.name),
    file: named(run.file),
    createdAt: timeOf(run.createdAt) ?? '',
    ageSeconds: Math.max(0, Math.round((Date.now() - run.createdAt) / 1000)),
    wakeAt: timeOf(run.wakeAt),
    message: named(run.message),
    asks: open.map(({ path, kind, prompt, expiresAt, ...gate }) => ({
      path,
      kind,
      prompt,
      approvalId: gate.shortId ?? '',
      ...(gate.shortId ? {} : { token: tokenOf(gate) }),
      expiresAt: timeOf(expiresAt),
    })),
  };
}

interface HostRun {
  readonly run: RunSummary;
  readonly argsJson: string;
  readonly steps: readonly {
    readonly path: string;
    readonly state: RunDetail['steps'][number]['state'];
    readonly attempts: number;
    readonly startedAt: number;
    readonly output: string;
    readonly error: string;
  }[];
  readonly gates: readonly RunGate[];
}

/** `now` describes running `agent` steps, by path. */
export const detailOf = (
  { run, argsJson, steps, gates }: HostRun,
  now: ReadonlyMap<string, string> = new Map(),
): RunDetail => ({
  ...itemOf(run, gates),
  definition: run.definition,
  args: (parsed(argsJson) ?? {}) as RunDetail['args'],
  initiatedBy: named(run.initiatedBy),
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
    error: named(error),
    ...(now.has(path) ? { now: now.get(path) ?? '' } : {}),
  })),
  decisions: gates.flatMap(({ path, prompt, decision, decidedBy, reason, contentHash }) =>
    decision === null
      ? []
      : [{ path, prompt, decision, by: named(decidedBy), reason: named(reason), contentHash }],
  ),
});
