import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { ChatMessage, LiveDraft, RoomView } from '../../contract/model.ts';
import type { ToolStep } from '../../contract/work.ts';
import { visibleTerminalLine, visibleText } from '../visible-text.ts';
import { toolCall, toolCallUpdate } from './tool-updates.ts';

// Turns the changes of a conversation into updates of an editor's session: the agent's text while it is written, its
// tool calls, and messages that were written elsewhere. Each is told once.

export interface RoomStream {
  /** Updates for the change from the last view to this one. */
  see(view: RoomView): readonly SessionUpdate[];
  /** The editor shows this message of the operator already. */
  know(messageId: string): void;
}

interface Spoken {
  readonly turnId: string;
  /** Text of the draft that was told and is not part of a message yet. */
  text: string;
}

export const saidByAgent = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

const saidByOperator = (text: string): SessionUpdate => ({
  sessionUpdate: 'user_message_chunk',
  content: { type: 'text', text },
});

const fileLines = ({ attachments }: ChatMessage): string =>
  attachments.map(({ filename }) => `\n\n[${filename}]`).join('');

const thought = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: { type: 'text', text },
});

/** A step for an editor that was told `before` of it, or nothing. */
function stepUpdate(step: ToolStep, before: ToolStep | null): SessionUpdate | null {
  if (step.plan) {
    const entries = step.plan.map(({ text, state }) => ({
      content: visibleTerminalLine(text),
      priority: 'medium' as const,
      status: state,
    }));
    return { sessionUpdate: 'plan', entries };
  }
  if (step.tool === 'thinking') {
    const told = before?.detail ?? '';
    // A long thought is cut at its end, which changes what was told.
    const news = step.detail.startsWith(told) ? step.detail.slice(told.length) : '';
    return news === '' ? null : thought(visibleText(news));
  }
  return before === null
    ? { sessionUpdate: 'tool_call', ...toolCall(step) }
    : { sessionUpdate: 'tool_call_update', ...toolCallUpdate(step) };
}

/** Stored messages, oldest first, for an editor that loads the conversation. */
export const replay = (messages: readonly ChatMessage[]): readonly SessionUpdate[] =>
  messages.flatMap((message) => {
    const text = `${message.text}${fileLines(message)}`;
    if (message.own) return [saidByOperator(text)];
    const steps = message.steps.map((step) => stepUpdate(step, null));
    return [...steps.filter((update) => update !== null), saidByAgent(text)];
  });

/** `isOwnPending`: a message of this editor is being sent, so own messages without a known id may be it. */
export function createRoomStream(
  { id: agentId, slug: agentSlug }: { readonly id: string; readonly slug: string },
  isOwnPending: () => boolean,
): RoomStream {
  const toldMessages = new Set<string>();
  const toldSteps = new Map<string, ToolStep>();
  let spoken: Spoken | null = null;
  let isFirst = true;
  /** The last update was text, so that other text needs a paragraph of its own. */
  let wasText = false;

  const say = (text: string, isNew: boolean): SessionUpdate => {
    const update = saidByAgent(isNew && wasText ? `\n\n${text}` : text);
    wasText = true;
    return update;
  };

  const tellStep = (step: ToolStep): SessionUpdate | null => {
    const before = toldSteps.get(step.callId) ?? null;
    if (before !== null && JSON.stringify(before) === JSON.stringify(step)) return null;
    toldSteps.set(step.callId, step);
    wasText = false;
    return stepUpdate(step, before);
  };

  const grown = (draft: LiveDraft): SessionUpdate[] => {
    if (spoken?.turnId !== draft.turnId) spoken = { turnId: draft.turnId, text: '' };
    const { text } = spoken;
    spoken.text = draft.text;
    if (draft.text === text || draft.text === '') return [];
    // After a reset the text starts anew; what was told stays in the editor.
    const isGrowth = text !== '' && draft.text.startsWith(text);
    return [isGrowth ? say(draft.text.slice(text.length), false) : say(draft.text, true)];
  };

  const arrived = (message: ChatMessage): SessionUpdate[] => {
    const text = `${message.text}${fileLines(message)}`;
    if (message.own) {
      wasText = false;
      return [saidByOperator(text)];
    }
    const steps = message.senderSlug === agentSlug ? message.steps.map(tellStep) : [];
    const updates = steps.filter((update) => update !== null);
    const told = spoken?.text.trimStart() ?? '';
    if (spoken === null || told === '') return [...updates, say(text, true)];
    if (told.startsWith(message.text)) {
      spoken.text = told.slice(message.text.length);
      const files = fileLines(message);
      return files === '' ? updates : [...updates, say(files, false)];
    }
    spoken.text = '';
    if (text.startsWith(told)) return [...updates, say(text.slice(told.length), false)];
    return [...updates, say(text, true)];
  };

  return {
    know: (messageId) => void toldMessages.add(messageId),
    see({ messages, drafts }) {
      const updates: SessionUpdate[] = [];
      if (isFirst) for (const { id } of messages) toldMessages.add(id);
      isFirst = false;
      for (const draft of Object.values(drafts)) {
        if (draft.agentId !== agentId) continue;
        updates.push(...draft.steps.map(tellStep).filter((update) => update !== null), ...grown(draft));
      }
      for (const message of messages) {
        if (toldMessages.has(message.id) || (message.own && isOwnPending())) continue;
        toldMessages.add(message.id);
        updates.push(...arrived(message));
      }
      return updates;
    },
  };
}
