/**
 * Approval centre: the only path from a requested effect to its execution. A question is stored before it is
 * published; the first answer decides it, over the digest that was shown; it survives a restart; nothing runs
 * without an audit entry; and if the store fails, the answer is no.
 */
import type { Approval, ApprovalAnswer } from '../../contract/approvals.ts';
import { messageOf } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { englishText, type HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { despiteStore, StoreError } from '../lib/store-error.ts';
import { decide } from '../policy/evaluate-policy.ts';
import type { PolicyCall, PolicyVerdict } from '../policy/policy-call.ts';
import type { CentreDeps, Decided, Question } from './approval-centre-ports.ts';
import type { ApprovalGate, CallReady, GateCall, GateDecision } from './approval-gate.ts';
import type { AgentFacts, ApprovalRow, AuditEntry, CallKey } from './approval-ports.ts';
import { auditDecision, auditVote } from './audit-decision.ts';
import { sameQuestion, stillAsShown } from './call-identity.ts';
import { type CallRecorder, createCallRecorder, recordOf } from './call-recorder.ts';
import {
  decideOnce,
  denialReason,
  end,
  type SubmittedAnswer,
  stillOpen,
  withdrawnFor,
} from './decide-once.ts';
import { callDigest, questionDigest, stableJson } from './digest.ts';
import { FormAnswers } from './form-answers.ts';
import { grantFrom } from './grant-from.ts';
import {
  type DecidingAnswer,
  decidedOutside,
  expiryOf,
  isOutside,
  type OutsideOutcome,
  outsideOutcome,
  unanswerable,
} from './outside-question.ts';
import { QuestionExpiry } from './question-expiry.ts';
import { receiptFor } from './receipt.ts';
import { askable, denied, noQuestion, unlogged, withdrawn } from './refusals.ts';
import { approvalOf, policyCallOf } from './request.ts';
import { GrantBook } from './standing-grants.ts';
import { Waiters } from './waiters.ts';

const atOnce: CallReady = async () => true;

export class ApprovalCentre implements ApprovalGate {
  readonly grants: GrantBook;
  readonly #deps: CentreDeps;
  readonly #recorder: CallRecorder;
  readonly #waiters = new Waiters<ApprovalRow>();
  readonly #times: QuestionExpiry;
  /** Waiting questions by id; a copy of the store. */
  readonly #waiting = new Map<string, ApprovalRow>();
  /** Ids of answers delivered in this host run. */
  readonly #handedOver = new Set<string>();
  readonly #forms = new FormAnswers();
  readonly #audited = new Map<string, Promise<Result<void>>>();
  /** Retries by id: decided questions that the store has not accepted yet. */
  readonly #unfinished = new Map<string, () => void>();
  #closing = false;

  constructor(deps: CentreDeps) {
    this.#deps = deps;
    this.grants = new GrantBook(deps.records.store);
    this.#recorder = createCallRecorder(deps.records.store, deps.clock, deps.log);
    this.#times = new QuestionExpiry(deps.clock, () => this.#look());
    for (const row of deps.records.store.waiting()) this.#waiting.set(row.approval.id, row);
    for (const { approval } of this.waiting())
      if (approval.endsWithHost) this.#finish(approval.id, 'cancelled', say('approvals.hostEnded'));
    this.#look();
  }

  /** Oldest first. */
  waiting(): readonly ApprovalRow[] {
    return [...this.#waiting.values()].sort((a, b) => a.approval.createdAt - b.approval.createdAt);
  }

  /** Number of questions that need attention now; `agentId`: `null` for all agents. */
  calling(agentId: string | null): number {
    const now = this.#deps.clock.now();
    const calls = ({ approval }: ApprovalRow): boolean =>
      (agentId === null || approval.agentId === agentId) && (approval.quietUntil ?? 0) <= now;
    return this.waiting().filter(calls).length;
  }

  check(call: GateCall, signal: AbortSignal, ready = atOnce): Promise<GateDecision> {
    return this.#safely(signal, () => this.#check(call, signal, ready));
  }

  /** `id`, or a unique prefix of at least four characters. */
  find(id: string): Result<ApprovalRow> {
    const { store } = this.#deps.records;
    // Waiting questions are known even if the store lost them.
    const whole = this.#waiting.get(id) ?? store.row(id);
    if (whole) return ok(whole);
    const found = id.length < 4 ? [] : store.startingWith(id);
    if (found.length > 1) return err(fail('invalid_input', 'approvals.ambiguousQuestion', { id }));
    return found[0] ? ok(found[0]) : err(noQuestion);
  }

  decide(id: string, answer: ApprovalAnswer, how: Omit<SubmittedAnswer, 'answer' | 'at'>): Result<Decided> {
    const at = this.#now();
    this.#finishRest();
    const found = this.find(id);
    if (!found.ok) return found;
    const row = this.#waiting.get(found.value.approval.id) ?? found.value;
    if (isOutside(row.approval) && answer.type !== 'not_now')
      return this.#forward(row, { ...how, answer, at });
    const open = answer.type === 'not_now' ? ok(undefined) : stillOpen(row.approval, { ...how, answer, at });
    const read = open.ok ? this.#forms.read(row.approval, answer) : open;
    if (!read.ok) return read;
    const next = decideOnce(row.approval, { ...how, answer: read.value, at });
    if (!next.ok) return next;
    if (next.value.state !== 'waiting') return ok(this.#settle(row, next.value));
    this.#keep({ ...row, approval: next.value });
    return ok({ approval: next.value, receipt: null });
  }

  /** Withdraws a question whose call no longer waits. */
  readonly withdraw = (id: string): void => this.#finish(id, 'cancelled', say('approvals.turnStopped'));

  /** Asks the operator about something that is no tool call; once per key. */
  ask(question: Question, signal: AbortSignal): Promise<GateDecision> {
    return this.#safely(signal, () => this.#ask(question, signal));
  }

  /** Shows a question that the answerer decides; once per id, even after its decision. */
  show(row: ApprovalRow): void {
    const known = this.#waiting.get(row.approval.id) ?? this.#deps.records.store.row(row.approval.id);
    if (known) this.#again(known);
    else this.#begin(row);
  }

  /** Updates the answerer's question: other approvals arrived, or it needs attention again. */
  amend(id: string, change: Partial<Pick<Approval, 'gate' | 'quietUntil' | 'remindedAt'>>): void {
    const row = this.#waiting.get(id);
    if (row) this.#keep({ ...row, approval: { ...row.approval, ...change } });
  }

  /**
   * Records a decision of the answerer's question that was not made through `decide`, or while the host was
   * down.
   */
  follow(id: string, outcome: OutsideOutcome): void {
    const row = this.#waiting.get(id);
    if (row) this.#follow(row, decidedOutside(row.approval, outcome, this.#deps.clock.now()));
  }

  posted(id: string, post: ApprovalRow['post']): void {
    const row = this.#waiting.get(id) ?? this.#deps.records.store.row(id);
    if (row) this.#keep({ ...row, post });
  }

  /** The agent's question of this chat message, decided ones included. */
  byPost(agentId: string, messageId: string): ApprovalRow | null {
    const row = this.#deps.records.store.byPost(messageId);
    if (!row || (row.approval.agentId !== agentId && !isOutside(row.approval))) return null;
    return this.#waiting.get(row.approval.id) ?? row;
  }

  async revoke(id: string): Promise<Result<void>> {
    const revoked = this.grants.revoke(id, this.#deps.clock.now());
    if (!revoked.ok) return revoked;
    const { grant, digest } = revoked.value;
    return this.#deps.records.audit.append({
      kind: 'revoke',
      agentId: grant.agentId,
      tool: grant.tool,
      digest: digest ?? '',
      outcome: grant.scope,
      detail: englishText(grant.rule),
    });
  }

  flush(): void {
    this.#recorder.flush();
  }

  /** Stops the centre: from now on a turn that ends leaves its question waiting for the next start. */
  close(): void {
    this.#closing = true;
    this.#times.stop();
    this.#recorder.flush();
  }

  /** The answerer decides and keeps its own record; the centre records the result, too. */
  #forward(row: ApprovalRow, given: DecidingAnswer): Result<Decided> {
    const { answerer } = this.#deps.rules;
    const { audit } = this.#deps.records;
    const shown = stillOpen(row.approval, given);
    if (!shown.ok) return shown;
    const said = answerer?.(row.approval, given) ?? err(unanswerable);
    if (!said.ok) return said;
    if (said.value.type === 'decided')
      return ok(this.#follow(row, decidedOutside(row.approval, outsideOutcome(given, said.value), given.at)));
    const approval: Approval = { ...row.approval, quietUntil: null, gate: said.value.gate };
    this.#hold({ ...row, approval });
    void auditVote(audit, approval, given.surface, said.value.by);
    return ok({ approval, receipt: null });
  }

  readonly #sha256 = (bytes: Uint8Array): string => this.#deps.records.signer.sha256(bytes);

  /** Denies if the store fails. */
  async #safely(signal: AbortSignal, work: () => Promise<GateDecision>): Promise<GateDecision> {
    if (signal.aborted) return withdrawn;
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.log.error('gate_store_failed', { code: error.code });
      return denied(say('approvals.notRecorded', { why: messageOf(error.toAppError()) }), 'policy');
    }
  }

  async #ask(question: Question, signal: AbortSignal): Promise<GateDecision> {
    const { kind, key, args, rule = say('approvals.thisNow'), accepts, ...shown } = question;
    // A question that cannot be shown whole cannot be allowed (T8).
    if (shown.preview.cut === true) return denied(say('approvals.deniedTooLarge'), 'policy');
    const call: CallKey = { agentId: shown.agentId, turnId: key, threadKey: key, callId: key };
    const { random, records } = this.#deps;
    const digest = callDigest(this.#sha256, { agentId: shown.agentId, tool: shown.subject, args });
    if (digest === null) return denied(say('approvals.questionNested'), 'policy');
    const argsJson = stableJson(args) ?? '{}';
    const about = { ...call, tool: shown.subject, argsJson };
    const asked = sameQuestion(records.store.ofCall(shown.agentId, key), about, this.#handedOver);
    if (asked) return this.#wait(this.#again(asked), signal);
    const now = this.#now();
    const approval: Approval = {
      ...shown,
      id: `ap_${random.uuid()}`,
      kind,
      digest,
      argsJson,
      createdAt: now,
      expiresAt: now + this.#deps.rules.lifeMs(),
      state: 'waiting',
      sandbox: null,
      quietUntil: null,
      offers: [{ scope: 'once', rule }],
      decision: null,
    };
    this.#forms.expect(approval.id, accepts);
    return this.#wait(this.#begin({ approval, call, pattern: '', deliveredAt: null, post: null }), signal);
  }

  async #check(gate: GateCall, signal: AbortSignal, ready: CallReady): Promise<GateDecision> {
    const facts = this.#deps.rules.facts(gate);
    if (!facts) return denied(say('programs.unknownAgent'), 'policy');
    const digest = questionDigest(this.#sha256, gate);
    if (digest === null) return denied(say('approvals.argumentsNested'), 'policy');
    const call = policyCallOf(gate, digest);
    const verdict = askable(decide(facts.policy, call, this.grants.rulesOf(gate.agentId)), gate);
    if (verdict.verdict === 'ask')
      return this.#wait(this.#question(gate, call, verdict, facts), signal, ready);
    this.#recorder.record(recordOf(gate, call, verdict, this.#deps.clock.now()));
    if (verdict.verdict === 'deny') {
      await this.#audit(gate, digest, 'deny', englishText(verdict.why));
      return denied(verdict.why, verdict.by === 'tool' ? 'tool' : 'policy');
    }
    if (verdict.grantId) this.grants.used(verdict.grantId, this.#deps.clock.now());
    const by = verdict.by === 'grant' ? 'grant' : 'policy';
    const logged = await this.#audit(gate, digest, 'allow', verdict.grantId ?? verdict.by);
    return logged.ok ? { type: 'allow', by, receiptId: null } : unlogged;
  }

  #audit(gate: GateCall, digest: string, outcome: string, detail: string): Promise<Result<void>> {
    const { agentId, tool } = gate;
    return this.#deps.records.audit.append({ kind: 'call', agentId, tool, digest, outcome, detail });
  }

  #question(gate: GateCall, call: PolicyCall, verdict: PolicyVerdict, facts: AgentFacts): ApprovalRow {
    const { random, records } = this.#deps;
    const about = { ...gate, argsJson: stableJson(gate.args) ?? '{}' };
    const asked = sameQuestion(records.store.ofCall(gate.agentId, gate.callId), about, this.#handedOver);
    if (asked && stillAsShown(asked, gate, call.digest)) return this.#again(asked);
    if (asked) this.#void(asked);
    this.#recorder.record(recordOf(gate, call, verdict, this.#deps.clock.now()));
    const draft = { id: `ap_${random.uuid()}`, now: this.#now(), lifeMs: this.#deps.rules.lifeMs() };
    return this.#begin(approvalOf(draft, gate, call, verdict, facts));
  }

  /** Stores the question, then notifies. Snoozed questions of the same agent need attention again. */
  #begin(row: ApprovalRow): ApprovalRow {
    this.#keep(row);
    for (const other of this.waiting()) {
      const { approval } = other;
      if (approval.agentId === row.approval.agentId && approval.quietUntil !== null)
        despiteStore(() => this.#keep({ ...other, approval: { ...approval, quietUntil: null } }), undefined);
    }
    this.#deps.events.onAsked(row);
    return row;
  }

  #again(row: ApprovalRow): ApprovalRow {
    if (row.approval.state === 'waiting') this.#deps.events.onAsked(row);
    return row;
  }

  #keep(row: ApprovalRow): void {
    this.#deps.records.store.save(row);
    if (row.approval.state === 'waiting') this.#waiting.set(row.approval.id, row);
    this.#wakeInTime();
    this.#deps.events.onChanged(row.approval);
  }

  async #wait(row: ApprovalRow, signal: AbortSignal, ready = atOnce): Promise<GateDecision> {
    const { id, state, kind } = row.approval;
    const why =
      kind === 'spending' || kind === 'contact' ? say('approvals.notNeeded') : say('approvals.turnStopped');
    const left = (): void => {
      if (!this.#closing) this.#finish(id, 'cancelled', why);
    };
    const decided = state === 'waiting' ? await this.#waiters.wait(id, signal, left) : row;
    // Keeps the answer for the return of the call; a call that ended for good uses it up.
    const keep = decided && !(await ready()) && !signal.aborted;
    const { response } = keep ? {} : this.#forms.take(id);
    if (!decided || keep) return withdrawn;
    const handed = await this.#handOver(decided);
    return handed.type === 'allow' && response !== undefined ? { ...handed, response } : handed;
  }

  /** Delivers the answer to the call, which uses it up. */
  async #handOver({ approval }: ApprovalRow): Promise<GateDecision> {
    const { store, audit } = this.#deps.records;
    const { clock } = this.#deps;
    this.#handedOver.add(approval.id);
    const decided = await (this.#audited.get(approval.id) ?? ok(undefined));
    this.#audited.delete(approval.id);
    const row = store.row(approval.id);
    if (row && row.deliveredAt === null) store.save({ ...row, deliveredAt: clock.now() });
    if (approval.state !== 'allowed') {
      const by =
        approval.state === 'denied' ? 'operator' : approval.state === 'expired' ? 'expiry' : 'cancelled';
      return { type: 'deny', reason: englishText(denialReason(approval)), by };
    }
    const { agentId, subject: tool, digest } = approval;
    const entry: AuditEntry = { kind: 'call', agentId, tool, digest, outcome: 'allow', detail: approval.id };
    const logged = decided.ok ? await audit.append(entry) : decided;
    if (!logged.ok) return unlogged;
    return { type: 'allow', by: 'operator', receiptId: approval.decision?.receiptId ?? null };
  }

  /** Records a decision by a person or by expiry in one transaction, then notifies. */
  #settle(row: ApprovalRow, decided: Approval): Decided {
    const { store, signer } = this.#deps.records;
    const { random, clock } = this.#deps;
    const receipt = receiptFor(decided, `rc_${random.uuid()}`, signer);
    const approval: Approval = {
      ...decided,
      decision: decided.decision && { ...decided.decision, receiptId: receipt.id },
    };
    const settled = { ...row, approval };
    const grant = grantFrom(settled, `gr_${random.uuid()}`, clock.now());
    store.settle(settled, receipt, grant?.grant.scope === 'session' ? null : grant);
    if (grant) this.grants.added(grant);
    this.#waiting.delete(approval.id);
    this.#unfinished.delete(approval.id);
    this.#audited.set(
      approval.id,
      auditDecision(this.#deps.records.audit, approval, grant?.grant.rule ?? null),
    );
    this.#wakeInTime();
    this.#deps.events.onChanged(approval);
    this.#waiters.answer(approval.id, settled);
    return { approval, receipt };
  }

  /** Applies a decision that is already made; a failed write is retried. */
  #follow(row: ApprovalRow, decided: Approval): Decided {
    const { id, state } = decided;
    try {
      return this.#settle(row, decided);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#deps.log.warn('question_not_closed', { id, state, code: error.code });
      this.#unfinished.set(id, () => this.#follow(row, decided));
      this.#wakeInTime();
      return { approval: decided, receipt: null };
    }
  }

  #finish(id: string, state: 'expired' | 'cancelled', reason: HostText): void {
    const row = this.#waiting.get(id);
    const next = row && end(row.approval, state, reason, this.#deps.clock.now());
    if (row && next?.ok) this.#follow(row, next.value);
  }

  /** Ends the question of a call that would now do something else, even if it was approved. */
  #void(row: ApprovalRow): void {
    const at = this.#deps.clock.now();
    this.#follow(row, withdrawnFor(row.approval, say('approvals.wouldDiffer'), at));
  }

  /** Retries the writes of ended questions. */
  #finishRest(): void {
    for (const finish of [...this.#unfinished.values()]) finish();
  }

  #wakeInTime(): void {
    const waiting = this.waiting().map(({ approval }) => ({ ...approval, expiresAt: expiryOf(approval) }));
    this.#times.due(waiting, this.#unfinished.size > 0);
  }

  /**
   * Current time. After a clock change, waiting questions are shifted, so they wait neither shorter nor
   * longer (F8).
   */
  #now(): number {
    const by = this.#times.jump();
    for (const row of by === 0 ? [] : this.waiting()) this.#move(row, by);
    return this.#deps.clock.now();
  }

  #move(row: ApprovalRow, by: number): void {
    const { expiresAt, quietUntil } = row.approval;
    const quiet = quietUntil === null ? null : quietUntil + by;
    const expires = isOutside(row.approval) ? expiresAt : expiresAt + by;
    this.#hold({ ...row, approval: { ...row.approval, expiresAt: expires, quietUntil: quiet } });
  }

  /** Holds the question in memory even if it cannot be stored. */
  #hold(row: ApprovalRow): void {
    this.#waiting.set(row.approval.id, row);
    despiteStore(() => this.#keep(row), undefined);
  }

  /** Expires unanswered questions, and reactivates snoozed ones. */
  #look(): void {
    const now = this.#now();
    this.#finishRest();
    for (const { approval } of this.waiting()) {
      if (expiryOf(approval) <= now) this.#finish(approval.id, 'expired', say('approvals.noAnswerInTime'));
      else if (approval.quietUntil !== null && approval.quietUntil <= now)
        this.#deps.events.onChanged(approval);
    }
    this.#wakeInTime();
  }
}
