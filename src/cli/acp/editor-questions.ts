import type { Approval, ApprovalsView } from '../../contract/approvals.ts';
import type { HostClient } from '../../contract/host-api.ts';
import { copy } from '../copy.ts';
import { type EditorPort, logLine, remark } from './editor-port.ts';
import { isAnswerableInEditor, permissionAnswer, permissionCall, permissionOptions } from './permission.ts';

// Asks the editor each question of the running turn, which also waits in the inbox. The first answer counts: an
// answer of the editor carries the digest that was shown, and a question that was answered elsewhere is withdrawn.

export interface EditorQuestionsDeps {
  readonly client: Pick<HostClient, 'call'>;
  readonly editor: EditorPort;
  readonly agentId: string;
  readonly roomId: string;
  /** The tool call that waits for this answer, or `null` if it is not known. */
  callOf(approvalId: string): string | null;
}

/** ms that a question waits for its tool call, which arrives by another topic. */
const callWaitMs = 300;

export class EditorQuestions {
  readonly #deps: EditorQuestionsDeps;
  readonly #asked = new Map<string, AbortController>();
  /** When each question is asked without its tool call. */
  readonly #due = new Map<string, NodeJS.Timeout>();
  readonly #late = new Set<string>();
  #waiting: ApprovalsView['waiting'] = {};
  #isOpen = false;

  constructor(deps: EditorQuestionsDeps) {
    this.#deps = deps;
  }

  /** Questions are asked while a prompt runs. */
  open(): void {
    this.#isOpen = true;
    this.look();
  }

  /** Withdraws all requests; their questions stay in the inbox as long as the host keeps them. */
  close(): void {
    this.#isOpen = false;
    for (const asked of this.#asked.values()) asked.abort();
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#asked.clear();
    this.#due.clear();
    this.#late.clear();
  }

  waiting(waiting: ApprovalsView['waiting']): void {
    this.#waiting = waiting;
    this.look();
  }

  /** Call it when the waiting questions or the tool calls changed. */
  look(): void {
    for (const [id, asked] of this.#asked) if (!this.#waiting[id]) asked.abort();
    if (!this.#isOpen) return;
    const { agentId, callOf, roomId } = this.#deps;
    for (const approval of Object.values(this.#waiting)) {
      if (approval.agentId !== agentId || approval.roomId !== roomId || this.#asked.has(approval.id))
        continue;
      const callId = callOf(approval.id);
      if (callId !== null || this.#late.has(approval.id)) void this.#ask(approval, callId);
      else this.#wait(approval.id);
    }
  }

  #wait(id: string): void {
    if (this.#due.has(id)) return;
    const timer = setTimeout(() => {
      this.#late.add(id);
      this.look();
    }, callWaitMs);
    this.#due.set(id, timer);
  }

  async #ask(approval: Approval, callId: string | null): Promise<void> {
    const { client, editor } = this.#deps;
    const { id, digest } = approval;
    const asked = new AbortController();
    this.#asked.set(id, asked);
    if (!isAnswerableInEditor(approval)) {
      editor.update(remark(copy('cliAcp.answerInKennel', { id })));
      return;
    }
    const toolCall = permissionCall(approval, callId ?? `question-${id}`);
    try {
      const { outcome } = await editor.ask({ toolCall, options: permissionOptions(approval) }, asked.signal);
      // A question that the editor did not answer stays in the inbox.
      if (asked.signal.aborted || outcome.outcome !== 'selected') return;
      const answer = permissionAnswer(approval, outcome.optionId);
      if (answer === null) return editor.log(copy('cliAcp.unknownOption'));
      const decided = await client.call('approvals.decide', { id, digest, answer, surface: 'editor' });
      if (!decided.ok) editor.log(logLine(decided.error));
    } catch (error) {
      if (!asked.signal.aborted) editor.log(String(error));
    }
  }
}
