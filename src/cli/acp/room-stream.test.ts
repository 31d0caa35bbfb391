import { expect, it } from 'vitest';
import type { ChatMessage, LiveDraft, RoomView } from '../../contract/model.ts';
import type { ToolStep } from '../../contract/work.ts';
import { createRoomStream, replay } from './room-stream.ts';

const draft = (text: string, steps: readonly ToolStep[] = [], turnId = 't1'): LiveDraft => ({
  turnId,
  agentId: 'guide',
  slug: 'guide-1',
  name: 'Guide',
  text,
  threadRootId: null,
  startedAt: 1,
  steps: [...steps],
});

const step = (over: Partial<ToolStep> = {}): ToolStep => ({
  callId: 'c1',
  tool: 'write_file',
  title: 'writing a.md',
  state: 'running',
  detail: '',
  approvalId: null,
  startedAt: 1,
  endedAt: null,
  ...over,
});

const message = (id: string, text: string, over: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  roomId: 'dm:guide-1',
  senderSlug: 'guide-1',
  senderName: 'Guide',
  senderAgent: true,
  own: false,
  text,
  sentAt: 1,
  threadRootId: null,
  visible: true,
  encrypted: true,
  delivery: 'received',
  deliveryError: null,
  attachments: [],
  marks: [],
  steps: [],
  asks: null,
  ...over,
});

const view = (messages: readonly ChatMessage[], drafts: readonly LiveDraft[] = []): RoomView => ({
  roomId: 'dm:guide-1',
  messages: [...messages],
  hasMore: false,
  drafts: Object.fromEntries(drafts.map((one) => [one.turnId, one])),
  annotations: {},
});

function rig() {
  const state = { isPending: false };
  const stream = createRoomStream({ id: 'guide', slug: 'guide-1' }, () => state.isPending);
  const see = (...args: Parameters<typeof view>) =>
    stream.see(view(...args)).map((update) => {
      if ('toolCallId' in update) return `${update.sessionUpdate} ${update.toolCallId} ${update.status}`;
      const text = 'content' in update && 'text' in update.content ? update.content.text : '';
      return `${update.sessionUpdate} ${JSON.stringify(text)}`;
    });
  see([message('old', 'from before')]);
  return { state, stream, see };
}

it('tells the growing text once, also when its message arrives', () => {
  const { see } = rig();
  const old = message('old', 'from before');
  expect(see([old], [draft('Hel')])).toEqual(['agent_message_chunk "Hel"']);
  expect(see([old], [draft('Hello')])).toEqual(['agent_message_chunk "lo"']);
  expect(see([old, message('m1', 'Hello')], [draft('Hello')])).toEqual([]);
  expect(see([old, message('m1', 'Hello')])).toEqual([]);
});

it('tells what the message has beyond the draft, and text that differs as a paragraph', () => {
  const { see } = rig();
  see([], [draft('Hel')]);
  expect(see([message('m1', 'Hello')])).toEqual(['agent_message_chunk "lo"']);
  see([message('m1', 'Hello')], [draft('One', [], 't2')]);
  const two = [message('m1', 'Hello'), message('m2', 'Two')];
  expect(see(two)).toEqual(['agent_message_chunk "\\n\\nTwo"']);
});

it('tells text after a reset anew', () => {
  const { see } = rig();
  see([], [draft('Let me look.')]);
  expect(see([], [draft('')])).toEqual([]);
  expect(see([], [draft('Found')])).toEqual(['agent_message_chunk "\\n\\nFound"']);
});

it('tells a call once, and each of its changes', () => {
  const { see } = rig();
  expect(see([], [draft('', [step()])])).toEqual(['tool_call c1 in_progress']);
  expect(see([], [draft('', [step()])])).toEqual([]);
  expect(see([], [draft('', [step({ state: 'waiting', approvalId: 'a' })])])).toEqual([
    'tool_call_update c1 pending',
  ]);
  expect(see([], [draft('', [step({ state: 'done' })])])).toEqual(['tool_call_update c1 completed']);
});

it('tells thoughts as they grow, and each state of the plan', () => {
  const { see } = rig();
  const thinking = (detail: string) => step({ callId: 't', tool: 'thinking', detail });
  expect(see([], [draft('', [thinking('Let me')])])).toEqual(['agent_thought_chunk "Let me"']);
  expect(see([], [draft('', [thinking('Let me see')])])).toEqual(['agent_thought_chunk " see"']);
  const plan = (state: 'pending' | 'completed') =>
    view([], [draft('', [step({ callId: 'plan', tool: 'plan', plan: [{ text: 'Look', state }] })])]);
  const stream = createRoomStream({ id: 'guide', slug: 'guide-1' }, () => false);
  for (const state of ['pending', 'completed'] as const)
    expect(stream.see(plan(state))).toEqual([
      { sessionUpdate: 'plan', entries: [{ content: 'Look', priority: 'medium', status: state }] },
    ]);
});

it('tells messages that the operator wrote elsewhere, but not those of the editor', () => {
  const { state, stream, see } = rig();
  state.isPending = true;
  const own = message('q1', 'asked', { own: true });
  expect(see([own])).toEqual([]);
  stream.know('q1');
  state.isPending = false;
  expect(see([own])).toEqual([]);
  expect(see([own, message('q2', 'in the window', { own: true })])).toEqual([
    'user_message_chunk "in the window"',
  ]);
});

it('replays a conversation with its calls', () => {
  const updates = replay([
    message('q', 'Write it', { own: true }),
    message('a', 'Done', { steps: [step({ state: 'done' })] }),
  ]);
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
    'user_message_chunk',
    'tool_call',
    'agent_message_chunk',
  ]);
});
