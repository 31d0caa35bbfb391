import { existsSync } from 'node:fs';
import type { Approval, ApprovalsView } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ConsentRules, Question } from '../../core/approvals/approval-centre-ports.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../../core/approvals/approval-gate.ts';
import type { AgentFacts, ApprovalRow, AuditEntry } from '../../core/approvals/approval-ports.ts';
import { waitingView } from '../../core/approvals/waiting-view.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import type { AgentPolicy } from '../../core/policy/policy-call.ts';
import type { ShareRule } from '../../core/policy/source.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { isTaskTurn } from '../../core/tasks/task-turn.ts';
import { createFeedTopic, type FeedTopic } from '../feed/feed.ts';
import { republish } from '../feed/publish-differences.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';
import type { Problems } from '../problems.ts';
import { eraseStore } from '../stores/erase-store.ts';
import type { CentreParts, OpenCentre } from './open-approval-centre.ts';

/** Store of questions and audit log on disk. */
export interface ConsentFiles {
  /** False if no question was ever asked. */
  exist(): boolean;
  eraseStore(): Result<void>;
  eraseAudit(): Result<void>;
}

export const createConsentFiles = (disk: Pick<DiskPort, 'remove'>, layout: Layout): ConsentFiles => ({
  exist: () => existsSync(layout.hostStore),
  eraseStore: () => eraseStore(disk, layout.hostStore),
  eraseAudit: () => disk.remove(layout.audit),
});

export interface ApprovalEvents {
  /** The number of an agent's open questions may have changed. */
  onChanged(agentId: string): void;
  /** A change of a question was stored and published. */
  onQuestion(approval: Approval): void;
  /** A question should be sent to the chat; repeated when its call returns after a crash. */
  onAsked(row: ApprovalRow): void;
}

export interface ApprovalsDeps {
  readonly clock: Clock;
  readonly problems: Problems;
  readonly files: ConsentFiles;
  /** Loads the code of the centre when the vault first opens, to keep startup fast without one. */
  readonly loadCentre: () => Promise<OpenCentre>;
  /** How the centre judges calls and questions. */
  readonly rules: ConsentRules;
  readonly events: ApprovalEvents;
}

/** Questions to the operator, available while the vault is open. */
export interface Approvals {
  readonly topic: FeedTopic<ApprovalsView>;
  /** Restores the open questions after the vault opened. Called again for every new set of connections. */
  open(parts: OpenParts): Promise<void>;
  /** Call it before the agents stop, so that their questions wait for the next start. */
  closing(): void;
  close(): Promise<void>;
  /** Deletes questions, answers and the audit log together with the vault. */
  erase(): Promise<Result<void>>;
  /** The gate before every effect of an agent; it denies everything while the vault is closed. */
  gate(): ApprovalGate;
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  /**
   * Share rules from the operator's standing answers: sources that this agent may reveal in rooms without
   * access to them.
   */
  sharesOf(agentId: string): readonly ShareRule[];
  /** Number of the agent's questions that need attention. */
  waitingFor(agentId: string): number;
  questionOf(agentId: string, call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
  /** Withdraws the questions of turns that ended without doing so, except those in `goOn`. */
  withdrawBut(agentId: string, goOn: () => ReadonlySet<string>): void;
  /** Id of the question that the agent sent as this message, including decided ones. */
  questionIn(agentId: string, messageId: string): string | null;
  /** Records events that are not calls, such as brake and budget; best effort while the vault is closed. */
  note(entry: AuditEntry): Promise<Result<void>>;
  /** Opens the centre if needed. */
  parts(): Result<CentreParts>;
  /** The open centre, or `null`; opens nothing. */
  opened(): CentreParts | null;
  /** False if no question was ever asked here; lookups then create no store. */
  begun(): boolean;
}

const closed = fail('locked', 'approvals.secretsLocked', {}, { help: 'approvals.runUnlock' });
const noGate = ({ message }: AppError): GateDecision => ({ type: 'deny', reason: message, by: 'policy' });

export function createApprovals(deps: ApprovalsDeps): Approvals {
  return new HostApprovals(deps);
}

class HostApprovals implements Approvals {
  readonly topic: FeedTopic<ApprovalsView>;
  readonly #deps: ApprovalsDeps;
  #open: CentreParts | null = null;
  /** Creates the centre on first use, so a folder without questions gets no store. */
  #begin: (() => Result<CentreParts>) | null = null;
  readonly #known = new Map<string, string>();

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
    this.topic = createFeedTopic<ApprovalsView>({ clock: deps.clock, initial: { waiting: {} } });
  }

  async open(parts: OpenParts): Promise<void> {
    if (this.#open || this.#begin) return;
    const openCentre = await this.#deps.loadCentre();
    const { rules, events, files } = this.#deps;
    this.#begin = () =>
      openCentre(parts, {
        rules: { ...rules, facts: (call) => this.#facts(call) },
        events: {
          onChanged: (approval) => {
            this.#changed(approval.agentId);
            events.onQuestion(approval);
          },
          onAsked: events.onAsked,
        },
      });
    if (!files.exist()) return;
    const opened = this.parts();
    if (opened.ok) this.#changed(null);
  }

  parts(): Result<CentreParts> {
    if (this.#open) return ok(this.#open);
    if (!this.#begin) return err(closed);
    const { problems } = this.#deps;
    const opened = this.#opened(this.#begin);
    if (opened.ok) {
      this.#open = opened.value;
      problems.clear('approvals');
    } else problems.set('approvals', 'error', opened.error);
    return opened;
  }

  begun(): boolean {
    return this.#open !== null || this.#deps.files.exist();
  }

  opened(): CentreParts | null {
    return this.#open;
  }

  closing(): void {
    this.#open?.centre.close();
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    this.#begin = null;
    open?.centre.close();
    await open?.audit.close();
    open?.store.release();
  }

  async erase(): Promise<Result<void>> {
    await this.close();
    this.#known.clear();
    const { files } = this.#deps;
    const erased = files.eraseStore();
    if (!erased.ok) return erased;
    this.#changed(null);
    return files.eraseAudit();
  }

  gate(): ApprovalGate {
    return {
      check: async (call, signal, ready) => {
        const parts = this.parts();
        return parts.ok ? parts.value.centre.check(call, signal, ready) : noGate(parts.error);
      },
    };
  }

  async ask(question: Question, signal: AbortSignal): Promise<GateDecision> {
    const parts = this.parts();
    return parts.ok ? parts.value.centre.ask(question, signal) : noGate(parts.error);
  }

  sharesOf(agentId: string): readonly ShareRule[] {
    const open = this.begun() ? this.parts() : null;
    return open?.ok ? open.value.centre.grants.sharesOf(agentId) : [];
  }

  waitingFor(agentId: string): number {
    return this.#open?.centre.calling(agentId) ?? 0;
  }

  questionOf(agentId: string, { threadKey, callId }: Pick<GateCall, 'threadKey' | 'callId'>): string | null {
    const found = this.#open?.centre
      .waiting()
      .find(
        ({ call }) => call?.agentId === agentId && call.threadKey === threadKey && call.callId === callId,
      );
    return found?.approval.id ?? null;
  }

  withdrawBut(agentId: string, goOn: () => ReadonlySet<string>): void {
    const waiting = this.#open?.centre
      .waiting()
      .filter(({ approval }) => approval.agentId === agentId && approval.kind === 'tool');
    if (!waiting?.length) return;
    const turns = goOn();
    // A task keeps its question even if the chat turn ends.
    for (const { approval, call } of waiting)
      if (call && !turns.has(call.turnId) && !isTaskTurn(call.turnId))
        this.#open?.centre.withdraw(approval.id);
  }

  questionIn(agentId: string, messageId: string): string | null {
    return this.#open?.centre.byPost(agentId, messageId)?.approval.id ?? null;
  }

  async note(entry: AuditEntry): Promise<Result<void>> {
    const parts = this.parts();
    return parts.ok ? parts.value.audit.append(entry) : parts;
  }

  #opened(begin: () => Result<CentreParts>): Result<CentreParts> {
    try {
      return begin();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return err(error.toAppError());
    }
  }

  #facts(call: Parameters<ConsentRules['facts']>[0]): AgentFacts | null {
    const facts = this.#deps.rules.facts(call);
    if (facts) this.#notePolicy(call.agentId, facts.policy);
    return facts;
  }

  /** The audit log also records changes of the rules. */
  #notePolicy(agentId: string, { mode, rules, daemon }: AgentPolicy): void {
    const text = JSON.stringify([mode, rules, daemon]);
    const before = this.#known.get(agentId);
    if (before === text) return;
    this.#known.set(agentId, text);
    const outcome = before === undefined ? 'in_force' : 'changed';
    const detail = `mode ${daemon.mode ?? mode}, ${rules.length + daemon.rules.length} rules`;
    void this.note({ kind: 'policy', agentId, tool: '', digest: '', outcome, detail });
  }

  #changed(agentId: string | null): void {
    const waiting = this.#open?.centre.waiting() ?? [];
    republish(this.topic, waitingView(waiting), 2);
    const ids = agentId === null ? new Set(waiting.map(({ approval }) => approval.agentId)) : [agentId];
    for (const id of ids) this.#deps.events.onChanged(id);
  }
}
