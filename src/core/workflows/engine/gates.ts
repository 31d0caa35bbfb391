/**
 * Gates of a run. A gate opens with its token in one transaction, bound to the run, the path and the exact
 * content shown. A decision and the use of its token are one transaction, too, so no decision counts twice.
 */

import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { toBase64Url, toHex } from '../../lib/bytes.ts';
import { writeStable } from '../../lib/stable-json.ts';
import { codePointLength, cutCodePoints } from '../../lib/text.ts';
import type { OpenGate } from './engine-ports.ts';
import type { GateContent, Sha256 } from './events.ts';
import { hashText } from './events.ts';
import type { RunContext } from './run-context.ts';
import { type GateState, gateKey, isBelowStep, openGatesOf, type RunState } from './run-state.ts';

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/** `null` if the text does not have the shape of a token. */
export const tokenHash = (sha256: Sha256, token: string): string | null =>
  tokenShape.test(token) ? hashText(sha256, token) : null;

export function newToken({ ports }: Pick<RunContext, 'ports'>): {
  readonly token: string;
  readonly hash: string;
} {
  const token = toBase64Url(ports.random.bytes(tokenBytes));
  return { token, hash: hashText(ports.sha256, token) };
}

export function contentHashOf(
  sha256: Sha256,
  bound: {
    readonly run: string;
    readonly gate: string;
    readonly path: string;
    readonly definition: string;
    readonly content: GateContent;
  },
): string {
  return hashText(sha256, writeStable(bound));
}

export const asOpenGate = (state: RunState, gate: GateState, shortId: string): OpenGate => ({
  id: gate.id,
  run: state.id,
  path: gate.path,
  shortId,
  content: gate.content,
  contentHash: gate.contentHash,
  initiatedBy: state.initiatedBy,
  expiresAt: gate.expiresAt,
});

export interface NewGate {
  readonly path: string;
  readonly slot: string;
  /** Called only if the gate is new. */
  content(): GateContent;
  readonly expiresMs: number | null;
  readonly remindMs: number | null;
}

/** Returns the gate of this path and slot; opens it if it is new. */
export function gateFor(run: RunContext, asked: NewGate): GateState {
  const { ports, log, tokens } = run;
  const found = log.state.gateAt.get(gateKey(asked.path, asked.slot));
  if (found) return found;
  const id = ports.random.uuid();
  const { path, slot } = asked;
  const { cwd = null, file = null } = log.state.origin ?? {};
  const content: GateContent = { ...asked.content(), workflow: { name: run.root.name, cwd, file } };
  const definition = log.state.definition;
  const bound = { run: log.state.id, gate: id, path, definition, content };
  const contentHash = contentHashOf(ports.sha256, bound);
  const { token, hash } = newToken(run);
  const shortId = toHex(ports.random.bytes(4));
  const now = ports.clock.now();
  const expiresAt = asked.expiresMs === null ? null : now + asked.expiresMs;
  const remindAt = asked.remindMs === null ? null : now + asked.remindMs;
  const row = {
    id,
    run: log.state.id,
    path,
    shortId,
    tokenHash: hash,
    contentHash,
    votes: 0,
    decision: null,
  };
  tokens.set(id, token);
  const gateNow = (): GateState => {
    const gate = log.state.gates.get(id);
    if (!gate) throw new Error('a gate that was opened is in the state');
    return gate;
  };
  // Nothing starts after a question, so it may be written together with the run status.
  log.later([{ type: 'gate_opened', path, slot, gate: id, content, contentHash, expiresAt, remindAt }], {
    gate: { type: 'open', row },
    written: () => ports.gates.opened(asOpenGate(log.state, gateNow(), shortId)),
  });
  return gateNow();
}

/** Sends a due reminder and expires a due gate. */
export function tendGate(run: RunContext, gate: GateState): void {
  const { ports, log } = run;
  const now = ports.clock.now();
  if (gate.decision !== null) return;
  if (gate.expiresAt !== null && now >= gate.expiresAt) {
    const { id, contentHash } = gate;
    const votes = gate.votes.length;
    const expired = log.writeGates(
      [{ type: 'gate_decided', gate: id, decision: 'timeout', by: null, contentHash }],
      [
        {
          type: 'use',
          gate: id,
          tokenHash: null,
          contentHash,
          votes,
          decision: 'timeout',
          nextTokenHash: null,
        },
      ],
    );
    run.tokens.delete(id);
    if (expired) ports.gates.closed(id, 'timeout');
    return;
  }
  if (gate.remindAt === null || gate.reminded || now < gate.remindAt) return;
  log.write([{ type: 'gate_reminded', gate: gate.id }]);
  const shortId = ports.journal.gate(gate.id)?.shortId ?? '';
  ports.gates.reminded(asOpenGate(log.state, gate, shortId));
}

/** Next reminder or expiry of this gate. */
export const gateWakeAt = (gate: GateState): number | null => {
  const remindAt = gate.reminded ? null : gate.remindAt;
  return remindAt ?? gate.expiresAt;
};

/** Message of a run that ends with a rejection. */
export const notApproved = (name: string, { reason }: Pick<GateState, 'reason'>): HostText =>
  reason === ''
    ? say('workflows.stepNotApproved', { step: name })
    : say('workflows.stepNotApprovedReason', { step: name, reason });

/** Withdraws every open gate at or below a path; `below`: `null` for the whole run. */
export function withdrawGates(run: Pick<RunContext, 'log' | 'ports' | 'tokens'>, below: string | null): void {
  for (const gate of openGatesOf(run.log.state)) {
    if (below !== null && gate.path !== below && !isBelowStep(gate.path, below)) continue;
    const { id, contentHash } = gate;
    const decision = 'withdrawn';
    const votes = gate.votes.length;
    const taken = run.log.writeGates(
      [{ type: 'gate_withdrawn', gate: id }],
      [{ type: 'use', gate: id, tokenHash: null, contentHash, votes, decision, nextTokenHash: null }],
    );
    run.tokens.delete(id);
    if (taken) run.ports.gates.closed(id, decision);
  }
}

/** Most code points of a preview: the content hash binds exactly what is shown. */
const previewLimit = 262_144;

export function shownPreview(preview: string | undefined): string | null {
  if (preview === undefined) return null;
  const cut = cutCodePoints(preview, previewLimit);
  return cut === preview ? cut : `${cut}…`;
}

/** A cut preview was not shown completely, so it cannot be approved (T8). */
export const isPreviewCut = ({ preview }: Pick<GateContent, 'preview'>): boolean =>
  preview !== null && preview.length > previewLimit && codePointLength(preview) > previewLimit;
