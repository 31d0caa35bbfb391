/** The steps of a turn for display: one per tool call, from start to end, also from before a restart. */
import type { PlanEntry, ToolStep } from '../../contract/work.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { plainTitle, stepTitle } from '../agents/tool-step-titles.ts';
import { argumentsText } from '../lib/arguments-text.ts';
import type { TranscriptMessage, UserContent } from '../models/messages.ts';
import type { Clock } from '../ports.ts';
import type { ToolOutput } from '../tools/tool.ts';
import { cutPlan, planInCall, textChange } from './step-parts.ts';

const detailLimit = 4_000;
/** The plan of a turn is one step, which changes. */
const planId = 'plan';
/** Characters of thinking after which its step is told again. */
const thinkingPiece = 200;

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
  #thinking: { readonly callId: string; text: string; told: number } | null = null;
  #thoughts = 0;

  constructor(clock: Pick<Clock, 'now'>, tell: (step: ToolStep) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** `parentId`: id of the call that made this one. */
  begin(callId: string, tool: string, args: unknown, at = this.#clock.now(), parentId?: string): void {
    if (this.#steps.has(callId)) return;
    this.thought();
    const known = typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
    const plan = planInCall(tool, known);
    if (plan) {
      this.plan(plan, at);
      return;
    }
    const title = plainTitle(tool, known);
    const change = textChange(tool, known);
    const step: ToolStep = {
      callId,
      tool,
      title: stepTitle(title, 'running'),
      state: 'running',
      detail: detailOf(args, ''),
      approvalId: null,
      startedAt: at,
      endedAt: null,
      ...(change ? { change } : {}),
      ...(parentId === undefined ? {} : { parentId }),
    };
    this.#keep({ title, args, step });
  }

  /** The agent's plan and its progress; replaces the plan before. */
  plan(entries: readonly PlanEntry[], at = this.#clock.now()): void {
    this.thought();
    const done = entries.filter(({ state }) => state === 'completed').length;
    const isOpen = done < entries.length;
    this.#keepOwn(planId, {
      tool: 'plan',
      title: say('steps.plan', { done, n: entries.length }),
      state: isOpen ? 'running' : 'done',
      detail: '',
      plan: cutPlan(entries),
      startedAt: this.#steps.get(planId)?.step.startedAt ?? at,
      endedAt: isOpen ? null : at,
    });
  }

  /** Reasoning that the model gives, in pieces. */
  think(text: string): void {
    if (this.#thinking === null) {
      this.#thoughts += 1;
      this.#thinking = { callId: `thinking_${this.#clock.now()}_${this.#thoughts}`, text: '', told: -1 };
    }
    const thinking = this.#thinking;
    thinking.text += text;
    if (thinking.told >= 0 && thinking.text.length - thinking.told < thinkingPiece) return;
    thinking.told = thinking.text.length;
    this.#tellThinking(null);
  }

  /** The agent went on to something else. */
  thought(): void {
    if (this.#thinking) this.#tellThinking(this.#clock.now());
    this.#thinking = null;
  }

  #tellThinking(endedAt: number | null): void {
    const thinking = this.#thinking;
    if (!thinking) return;
    const startedAt = this.#steps.get(thinking.callId)?.step.startedAt ?? this.#clock.now();
    this.#keepOwn(thinking.callId, {
      tool: 'thinking',
      title: endedAt === null ? say('steps.thinking') : say('steps.thought'),
      state: endedAt === null ? 'running' : 'done',
      detail: cut(thinking.text),
      startedAt,
      endedAt,
    });
  }

  #keepOwn(callId: string, step: Omit<ToolStep, 'callId' | 'approvalId'>): void {
    this.#keep({ title: step.title, args: {}, step: { ...step, callId, approvalId: null } });
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
    this.thought();
    for (const { step } of this.#steps.values()) {
      // A plan that was not finished is none that failed.
      if (step.callId === planId) {
        this.#change(planId, { state: 'done', endedAt: step.endedAt ?? this.#clock.now() });
        continue;
      }
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
