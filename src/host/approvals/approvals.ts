import { existsSync } from 'node:fs';
import type { Approval, ApprovalsView } from '../../contract/consent.ts';
import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../../core/approvals/approval-gate.ts';
import type { AgentFacts, ApprovalRow, AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { Question } from '../../core/approvals/centre-ports.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { type AgentPolicy, modeInForce } from '../../core/policy/policy-call.ts';
import type { ShareRule } from '../../core/policy/source.ts';
import type { Clock } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import { createFeedTopic, type FeedTopic } from '../feed.ts';
import type { OpenParts } from '../operator.ts';
import { republish } from '../republish.ts';
import type { WatchStore } from '../store-watch.ts';
import { isTaskTurn } from '../tasks/task-turn.ts';
import { agentPolicy } from './agent-policy.ts';
import { type ChatConsent, createChatConsent } from './chat-consent.ts';
import type { CentreParts } from './open-centre.ts';
import { operatorsRoom } from './operators-room.ts';

type Parts = Pick<
  HostContext,
  'ports' | 'layout' | 'disk' | 'problems' | 'settings' | 'agents' | 'fleet' | 'operator' | 'workflows'
>;

export interface ApprovalsDeps {
  readonly clock: Clock;
  readonly watchStore: WatchStore;
  /** The other parts of the host; a function because they are created later. */
  readonly context: () => Parts;
  onChanged(agentId: string): void;
  onQuestion(approval: Approval): void;
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
  /** The policy for an agent's calls, or `null` if the agent does not exist. */
  policyFor(agentId: string): AgentPolicy | null;
  /**
   * Share rules from the operator's standing answers: sources that this agent may reveal in rooms without
   * access to them.
   */
  sharesOf(agentId: string): readonly ShareRule[];
  /** Whether the agent's questions go to the operator; false if the agent does not exist. */
  attended(agentId: string): boolean;
  /** Number of questions that need attention, of one agent or of all if `null`. */
  waitingFor(agentId: string | null): number;
  questionOf(agentId: string, call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
  /** Withdraws the questions of turns that ended without doing so, except those in `goOn`. */
  withdrawBut(agentId: string, goOn: () => ReadonlySet<string>): void;
  /** Id of the question that the agent sent as this message, including decided ones. */
  questionIn(agentId: string, messageId: string): string | null;
  /** Whether a message to `agentId` answers a question of the operator; the answer takes effect at once. */
  interceptConsent(agentId: string, message: StoredMessage): { readonly reason: 'consent' } | null;
  /** Records events that are not calls, such as brake and budget; best effort while the vault is closed. */
  note(entry: AuditEntry): Promise<Result<void>>;
  parts(): Result<CentreParts>;
  /** False if no question was ever asked here; lookups then create no store. */
  begun(): boolean;
}

const closed = appError('locked', 'Your secrets are locked, so nothing can be asked or answered.', {
  hint: 'Run "kennel unlock".',
});
const noGate = ({ message }: AppError): GateDecision => ({ type: 'deny', reason: message, by: 'policy' });
const hourMs = 3_600_000;
/** Number of decided questions searched for the one that a message answered. */
const latelyDecided = 50;

export function createApprovals(deps: ApprovalsDeps): Approvals {
  return new HostApprovals(deps);
}

class HostApprovals implements Approvals {
  readonly topic: FeedTopic<ApprovalsView>;
  readonly #deps: ApprovalsDeps;
  readonly #consent: ChatConsent;
  #open: CentreParts | null = null;
  /** Creates the centre on first use, so a folder without questions gets no store. */
  #begin: (() => Result<CentreParts>) | null = null;
  readonly #known = new Map<string, string>();

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
    this.topic = createFeedTopic<ApprovalsView>({ clock: deps.clock, initial: { waiting: {} } });
    this.#consent = createChatConsent({
      context: deps.context,
      centre: () => this.#open?.centre ?? null,
      answeredBy: (agent, messageId) => this.#answeredBy(agent, messageId),
    });
  }

  async open(parts: OpenParts): Promise<void> {
    this.#consent.trust(parts);
    if (this.#open || this.#begin) return;
    // Loaded when the vault first opens, to keep startup fast without one.
    const { openCentre } = await import('./open-centre.ts');
    const { ports, layout, problems, settings } = this.#deps.context();
    this.#begin = () =>
      openCentre(
        {
          ports,
          layout,
          problems,
          watchStore: this.#deps.watchStore,
          facts: (call) => this.#facts(call),
          lifeMs: () => settings.config().policy.approval_hours * hourMs,
          onChanged: (approval) => {
            this.#changed(approval.agentId);
            this.#consent.follow(approval);
            this.#deps.onQuestion(approval);
          },
          onAsked: (row) => this.#consent.post(row),
          answerer: (approval, answer) => this.#deps.context().workflows.answerer(approval, answer),
        },
        parts,
      );
    if (!existsSync(layout.hostStore)) return;
    const opened = this.parts();
    if (opened.ok) this.#changed(null);
  }

  parts(): Result<CentreParts> {
    if (this.#open) return ok(this.#open);
    if (!this.#begin) return err(closed);
    const { problems } = this.#deps.context();
    const opened = this.#opened(this.#begin);
    if (opened.ok) {
      this.#open = opened.value;
      problems.clear('approvals');
    } else problems.set('approvals', 'error', opened.error);
    return opened;
  }

  begun(): boolean {
    return this.#open !== null || existsSync(this.#deps.context().layout.hostStore);
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
    const { disk, layout } = this.#deps.context();
    for (const path of ['', '-wal', '-shm', '.key'].map((suffix) => layout.hostStore + suffix)) {
      const gone = disk.remove(path);
      if (!gone.ok) return gone;
    }
    this.#changed(null);
    return disk.remove(layout.audit);
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

  policyFor(agentId: string): AgentPolicy | null {
    const { agents, settings, ports } = this.#deps.context();
    const agent = agents.get(agentId);
    if (!agent) return null;
    const { policy, limits } = settings.config();
    const { home, env } = ports;
    return agentPolicy(agent, configInForce(agent), policy, { home, env, workingDir: limits.working_dir });
  }

  sharesOf(agentId: string): readonly ShareRule[] {
    const open = this.begun() ? this.parts() : null;
    return open?.ok ? open.value.centre.grants.sharesOf(agentId) : [];
  }

  attended(agentId: string): boolean {
    const policy = this.policyFor(agentId);
    return policy !== null && modeInForce(policy) !== 'unattended';
  }

  waitingFor(agentId: string | null): number {
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

  interceptConsent(agentId: string, message: StoredMessage): { readonly reason: 'consent' } | null {
    return this.#consent.intercept(agentId, message) ? { reason: 'consent' } : null;
  }

  async note(entry: AuditEntry): Promise<Result<void>> {
    const parts = this.parts();
    return parts.ok ? parts.value.audit.append(entry) : parts;
  }

  #answeredBy(agent: string, messageId: string): ApprovalRow | null {
    const lately = this.#open?.store.list({ state: 'decided', agent, limit: latelyDecided }) ?? [];
    return (
      lately.find(({ approval, post }) => approval.kind === 'invitation' && post?.answerId === messageId) ??
      null
    );
  }

  #opened(begin: () => Result<CentreParts>): Result<CentreParts> {
    try {
      return begin();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return err(error.toAppError());
    }
  }

  #facts({ agentId, threadKey }: Pick<GateCall, 'agentId' | 'threadKey'>): AgentFacts | null {
    const context = this.#deps.context();
    const agent = context.agents.get(agentId);
    const policy = this.policyFor(agentId);
    if (!agent || !policy) return null;
    this.#notePolicy(agentId, policy);
    const name = configInForce(agent).display_name || agentId;
    return { name, policy, room: operatorsRoom(context, agentId, threadKey) };
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
    republish(
      this.topic,
      {
        waiting: Object.fromEntries(waiting.map(({ approval }) => [approval.id, approval])),
      },
      2,
    );
    const ids = agentId === null ? new Set(waiting.map(({ approval }) => approval.agentId)) : [agentId];
    for (const id of ids) this.#deps.onChanged(id);
  }
}
