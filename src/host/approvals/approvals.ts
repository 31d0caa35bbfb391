import { existsSync } from 'node:fs';
import type { Approval, ApprovalsView } from '../../contract/consent.ts';
import { type AppError, appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentFacts, ApprovalRow, AuditEntry } from '../../core/approvals/approval-ports.ts';
import type { Question } from '../../core/approvals/centre-ports.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { type AgentPolicy, modeInForce } from '../../core/policy/policy-call.ts';
import type { ShareRule } from '../../core/policy/source.ts';
import type { Clock, StoredMessage } from '../../core/ports.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../../core/tool-ports.ts';
import { configInForce } from '../agents/agent-view.ts';
import type { HostContext } from '../context.ts';
import { createTopic, type Topic } from '../feed.ts';
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
  /** The other parts of the host; they are put together later. */
  readonly context: () => Parts;
  /** How an agent looks has changed. */
  onChanged(agentId: string): void;
  /** A question was made, answered, or is over. */
  onQuestion(approval: Approval): void;
}

/** Questions to the operator, as the host has them: open while the vault is. */
export interface Approvals {
  readonly topic: Topic<ApprovalsView>;
  /** The vault is open: questions of before wait again. Called again with every new set of connections. */
  open(parts: OpenParts): Promise<void>;
  /** Before the agents stop: their questions wait for the next start. */
  closing(): void;
  close(): Promise<void>;
  /** Deletes questions, answers and the audit log; for a vault that goes. */
  erase(): Promise<Result<void>>;
  /** The gate before every effect of an agent. Closed vault, closed gate. */
  gate(): ApprovalGate;
  ask(question: Question, signal: AbortSignal): Promise<GateDecision>;
  /** What decides about an agent's calls now; null where there is no such agent. */
  policyFor(agentId: string): AgentPolicy | null;
  /** Sources this agent may share with rooms that could not read them, by the operator's standing answers. */
  sharesOf(agentId: string): readonly ShareRule[];
  /** Its questions are put to the operator; false also where there is no such agent. */
  attended(agentId: string): boolean;
  /** Questions that call for attention: of one agent, of all with null. */
  waitingFor(agentId: string | null): number;
  /** The question about this call, while it waits. */
  questionOf(agentId: string, call: Pick<GateCall, 'threadKey' | 'callId'>): string | null;
  /** Questions of turns that ended while nobody could withdraw them: all but those of the turns that go on. */
  withdrawBut(agentId: string, goOn: () => ReadonlySet<string>): void;
  /** The question that this agent put into the chat as this message, decided ones included. */
  questionIn(agentId: string, messageId: string): string | null;
  /** Whether a message that `agentId` got is the operator's answer to a question; it is taken as such at once. */
  interceptConsent(agentId: string, message: StoredMessage): { readonly reason: 'consent' } | null;
  /** For what is not a call: brake, budget. Best effort while the vault is closed. */
  note(entry: AuditEntry): Promise<Result<void>>;
  parts(): Result<CentreParts>;
  /** Anybody was ever asked here; false: there is nothing to look up, and nothing is made for looking. */
  begun(): boolean;
}

const closed = appError('locked', 'Your secrets are locked, so nothing can be asked or answered.', {
  hint: 'Run "kennel unlock".',
});
const noGate = ({ message }: AppError): GateDecision => ({ type: 'deny', reason: message, by: 'policy' });
const hourMs = 3_600_000;
/** Decided questions looked through for the one that a message answered. */
const latelyDecided = 50;

export function createApprovals(deps: ApprovalsDeps): Approvals {
  return new HostApprovals(deps);
}

class HostApprovals implements Approvals {
  readonly topic: Topic<ApprovalsView>;
  readonly #deps: ApprovalsDeps;
  readonly #consent: ChatConsent;
  #open: CentreParts | null = null;
  /** Makes the centre at its first use: a folder in which nobody was ever asked holds no store for it. */
  #begin: (() => Result<CentreParts>) | null = null;
  readonly #known = new Map<string, string>();

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
    this.topic = createTopic<ApprovalsView>({ clock: deps.clock, initial: { waiting: {} } });
    this.#consent = createChatConsent({
      context: deps.context,
      centre: () => this.#open?.centre ?? null,
      answeredBy: (agent, messageId) => this.#answeredBy(agent, messageId),
    });
  }

  async open(parts: OpenParts): Promise<void> {
    this.#consent.trust(parts);
    if (this.#open || this.#begin) return;
    // Loaded with the first vault that opens: a host that needs none answers sooner.
    const { openCentre } = await import('./open-centre.ts');
    const { ports, layout, problems, settings } = this.#deps.context();
    this.#begin = () =>
      openCentre(
        {
          ...{ ports, layout, problems, watchStore: this.#deps.watchStore },
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
    // A task asks on for itself, whatever becomes of the turns of chats.
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

  /** Rules that change are part of the story that the audit log tells. */
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
