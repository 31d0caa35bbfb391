import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { ChatMessage, LiveDraft, RoomView } from '../../contract/model.ts';
import type { ToolStep } from '../../contract/work.ts';
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

/** Stored messages, oldest first, for an editor that loads the conversation. */
export const replay = (messages: readonly ChatMessage[]): readonly SessionUpdate[] =>
  messages.flatMap((message) => {
    const text = `${message.text}${fileLines(message)}`;
    if (message.own) return [saidByOperator(text)];
    const steps = message.steps.map(
      (step): SessionUpdate => ({
        sessionUpdate: 'tool_call',
        ...toolCall(step),
      }),
    );
    return [...steps, saidByAgent(text)];
  });

/** `isOwnPending`: a message of this editor is being sent, so own messages without a known id may be it. */
export function createRoomStream(
  { id: agentId, slug: agentSlug }: { readonly id: string; readonly slug: string },
  isOwnPending: () => boolean,
): RoomStream {
  const toldMessages = new Set<string>();
  const toldSteps = new Map<string, string>();
  let spoken: Spoken | null = null;
  let isFirst = true;
  /** The last update was text, so that other text needs a paragraph of its own. */
  let wasText = false;

  const say = (text: string, isNew: boolean): SessionUpdate => {
    const update = saidByAgent(isNew && wasText ? `\n\n${text}` : text);
    wasText = true;
    return update;
  };

  const stepUpdate = (step: ToolStep): SessionUpdate | null => {
    const before = toldSteps.get(step.callId);
    const now = JSON.stringify(step);
    if (before === now) return null;
    toldSteps.set(step.callId, now);
    wasText = false;
    return before === undefined
      ? { sessionUpdate: 'tool_call', ...toolCall(step) }
      : { sessionUpdate: 'tool_call_update', ...toolCallUpdate(step) };
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
    const steps = message.senderSlug === agentSlug ? message.steps.map(stepUpdate) : [];
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
        updates.push(...draft.steps.map(stepUpdate).filter((update) => update !== null), ...grown(draft));
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
