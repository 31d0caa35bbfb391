/** The steps of a turn for display: one per tool call, from start to end, also from before a restart. */
import type { ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import { plainTitle, stepTitle } from '../agents/tool-step-titles.ts';
import { argumentsText } from '../lib/arguments-text.ts';
import type { TranscriptMessage, UserContent } from '../models/messages.ts';
import type { Clock } from '../ports.ts';
import type { ToolOutput } from '../tools/tool.ts';

const detailLimit = 4_000;

const cut = (text: string): string =>
  text.length > detailLimit ? `${text.slice(0, detailLimit - 2)} …` : text;

export const contentText = (content: readonly UserContent[]): string =>
  content.map((block) => (block.type === 'text' ? block.text : `[${block.mimeType}]`)).join('\n');

const detailOf = (args: unknown, result: string): string => {
  const asked = argumentsText(args);
  // Keeps room for the result, because arguments can be as long as a file.
  const shortened = asked.length > detailLimit / 2 ? `${asked.slice(0, detailLimit / 2)} …` : asked;
  return cut(result === '' ? shortened : `${shortened}\n\n${result}`);
};

interface Step {
  /** From the preview: begins with a verb. */
  title: HostText;
  args: unknown;
  step: ToolStep;
  /** While an approval is open: when it was requested, in ms. */
  askedAt?: number;
}

export class TurnSteps {
  readonly #steps = new Map<string, Step>();
  readonly #clock: Pick<Clock, 'now'>;
  readonly #tell: (step: ToolStep) => void;

  constructor(clock: Pick<Clock, 'now'>, tell: (step: ToolStep) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  begin(callId: string, tool: string, args: unknown, at = this.#clock.now()): void {
    if (this.#steps.has(callId)) return;
    const known = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
    const title = plainTitle(tool, known);
    const step: ToolStep = {
      callId,
      tool,
      title: stepTitle(title, 'running'),
      state: 'running',
      detail: detailOf(args, ''),
      approvalId: null,
      startedAt: at,
      endedAt: null,
    };
    this.#keep({ title, args, step });
  }

  named(callId: string, title: HostText): void {
    const known = this.#steps.get(callId);
    if (!known) return;
    const step = { ...known.step, title: stepTitle(title, 'running') };
    this.#keep({ ...known, title, step });
  }

  waiting(callId: string, approvalId: string): void {
    const known = this.#steps.get(callId);
    if (known) this.#steps.set(callId, { ...known, askedAt: this.#clock.now() });
    this.#change(callId, { state: 'waiting', approvalId });
  }

  /** Called when the approval was answered. */
  resumed(callId: string): void {
    this.#withoutWait(callId);
    this.#change(callId, { state: 'running', approvalId: null });
  }

  progress(callId: string, partial: ToolOutput): void {
    const known = this.#steps.get(callId);
    if (known) this.#change(callId, { detail: detailOf(known.args, contentText(partial.content)) });
  }

  end(
    callId: string,
    state: 'done' | 'failed' | 'denied' | 'unknown',
    result: readonly UserContent[],
    at = this.#clock.now(),
    restorePoint?: string,
  ): void {
    this.#withoutWait(callId);
    const known = this.#steps.get(callId);
    if (!known) return;
    const title = stepTitle(known.title, state === 'done' ? 'done' : 'not_done');
    const detail = detailOf(known.args, contentText(result));
    const undo = restorePoint === undefined ? {} : { restorePoint };
    this.#change(callId, { state, title, detail, approvalId: null, endedAt: at, ...undo });
  }

  /** The changes of an ended call can be reverted. */
  restored(callId: string, restorePoint: string): void {
    this.#change(callId, { restorePoint });
  }

  /** Restores the steps of calls that ended before a restart from the transcript. */
  recall(messages: readonly TranscriptMessage[]): void {
    for (const message of messages) {
      if (message.role === 'assistant') {
        for (const block of message.content) {
          const at = message.timing?.endedAt ?? message.timestamp;
          if (block.type === 'toolCall') this.begin(block.id, block.name, block.arguments, at);
        }
      }
      if (message.role === 'toolResult') {
        const state = message.isError ? 'failed' : 'done';
        this.end(message.toolCallId, state, message.content, message.timestamp);
      }
    }
  }

  /** Ends the steps that are still open; nothing runs any more. */
  close(): void {
    for (const { step } of this.#steps.values()) {
      if (step.endedAt === null) this.end(step.callId, 'failed', []);
    }
  }

  /** Moves the start by the time that a person took to answer, which is not the step's. */
  #withoutWait(callId: string): void {
    const known = this.#steps.get(callId);
    if (known?.askedAt === undefined) return;
    const { askedAt, ...rest } = known;
    const startedAt = known.step.startedAt + this.#clock.now() - askedAt;
    this.#steps.set(callId, { ...rest, step: { ...known.step, startedAt } });
  }

  #change(callId: string, change: Partial<ToolStep>): void {
    const known = this.#steps.get(callId);
    if (known) this.#keep({ ...known, step: { ...known.step, ...change } });
  }

  #keep(changed: Step): void {
    this.#steps.set(changed.step.callId, changed);
    this.#tell(changed.step);
  }
}
