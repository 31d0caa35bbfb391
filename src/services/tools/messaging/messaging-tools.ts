/** The team chat as tools, with the names and defaults of spec §7. Text of others is quoted and marked. */
import { z } from 'zod';
import type { Assessment, CallPreview } from '../../../core/policy/assessment.ts';
import { roomSource } from '../../../core/policy/source.ts';
import type { ChatPost, MessagingPort } from '../../../core/tools/chat-ports.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { blockedBy, failureOutput, previewBody, textOutput } from '../../../core/tools/output.ts';
import type { Tool, ToolCallContext, ToolOutput } from '../../../core/tools/tool.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { plainName, quotedName } from '../files/shown-path.ts';
import { checkChannel, shownChannel } from './check-channel.ts';
import { messageProvenance, quotedPosts } from './fenced-messages.ts';
import { leftOutRoom, readableMessage, readablePosts, readOutput } from './readable.ts';

const channelText = z.string().min(1).max(200).describe('@slug of a person or agent, or the id of a channel');

const asks = (
  title: HostText,
  body = englishText(title),
  where: HostText = say('approvals.teamChat'),
): CallPreview => ({
  kind: 'text',
  title,
  where,
  ...previewBody(body),
});
const reads = (title: HostText): Assessment => ({ risk: 'low', effects: [], preview: asks(title) });

const inputs = {
  none: z.strictObject({}),
  send: z.strictObject({
    channel: channelText,
    text: z.string().min(1).max(100_000),
    is_visible_to_human: z
      .boolean()
      .describe('False folds the message away for people; true when they should read it'),
    root_id: z.string().max(200).default('').describe('The thread to answer in; empty begins a new one'),
  }),
  channel: z.strictObject({ channel: channelText }),
  channelHistory: z.strictObject({
    channel: channelText,
    limit: z.number().int().min(1).max(200).default(20),
    since: z.string().max(200).default('').describe('Id of a message: only what came after it'),
    before: z.number().int().min(0).default(0).describe('Milliseconds since 1970; 0 for no limit'),
    after: z.number().int().min(0).default(0).describe('Milliseconds since 1970; 0 for no limit'),
  }),
  threadHistory: z.strictObject({
    root_id: z.string().min(1).max(200),
    limit: z.number().int().min(1).max(200).default(50),
  }),
  post: z.strictObject({ post_ref: z.string().min(1).max(200).describe('Id of a message') }),
  user: z.strictObject({ username: z.string().min(1).max(200).describe('The slug, with or without @') }),
};

const common = { group: 'puffo', core: false, timeoutMs: 30_000 } as const;
/** These tools report the rooms they reveal by themselves. */
const reading = { ...common, replay: 'safe', reveals: [] } as const;

function createSendTool(chat: MessagingPort): Tool {
  return defineTool({
    ...common,
    name: 'send_message',
    reveals: [],
    description:
      'Sends a message in the team chat: to a person (@slug), or to a channel by its id. Your final answer goes to the thread you are in by itself; use this for anything else.',
    input: inputs.send,
    // Sending twice under one call id sends one message.
    replay: 'safe',
    executionMode: 'sequential',
    async assess(args, { turnId }) {
      const channel = checkChannel(args.channel);
      const to = await shownChannel(chat, args.channel);
      const preview = asks(
        say('actions.sendMessage', { room: to }),
        args.text,
        args.root_id === '' ? to : say('approvals.inThread', { room: to }),
      );
      if (!channel.ok) return blockedBy(channel.error, preview);
      const here = chat.here(turnId);
      const sameThread = here !== null && here.channel === args.channel && here.rootId === args.root_id;
      return {
        risk: sameThread ? 'low' : 'medium',
        effects: [{ kind: 'send', to: args.channel, sameThread }],
        preview,
      };
    },
    async execute({ channel, text, is_visible_to_human: visible, root_id: rootId }, { turnId, callId }) {
      const checked = checkChannel(channel);
      if (!checked.ok) return failureOutput(checked.error);
      const sent = await chat.send({ turnId, callId, channel, text, visible, rootId });
      if (!sent.ok) return failureOutput(sent.error);
      const seen =
        rootId === '' && !visible ? ' People see it: only answers in a thread can be folded away.' : '';
      const said = `Sent to ${plainName(channel)} (message ${sent.value.messageId}).${seen}`;
      return textOutput(said, sent.value);
    },
  });
}

function createListTools(chat: MessagingPort): readonly Tool[] {
  const whoami = defineTool({
    ...reading,
    name: 'whoami',
    description: 'Who you are in the team chat: slug, device, server, key.',
    input: inputs.none,
    assess: () => reads(say('actions.lookUpItself')),
    async execute() {
      const me = await chat.whoami();
      if (!me.ok) return failureOutput(me.error);
      return textOutput(
        Object.entries(me.value)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
      );
    },
  });
  const channels = defineTool({
    ...reading,
    name: 'list_channels',
    description: 'The channels you are in, with their ids.',
    input: inputs.none,
    foreign: true,
    assess: () => reads(say('actions.listChannels')),
    async execute(_args, context) {
      const list = await chat.channels();
      if (!list.ok) return failureOutput(list.error);
      const open = await readableMessage(context, list.value, ({ id }) => id);
      const lines = open.shown.map(
        ({ id, name, spaceId, encrypted }) =>
          `${id}  name=${quotedName(name)} space=${spaceId}${encrypted ? '' : plainMark}`,
      );
      return readOutput(
        open,
        lines.length === 0 ? '[No channels.]' : `Names were chosen by people.\n${lines.join('\n')}`,
      );
    },
  });
  const members = defineTool({
    ...reading,
    name: 'list_channel_members',
    description: 'Who is in a channel.',
    input: inputs.channel,
    foreign: true,
    assess: ({ channel }) => readsChannel('actions.listMembers', channel),
    async execute({ channel }, context) {
      const left = await leftOutRoom(context, chat.roomOf(channel));
      if (left) return left;
      const list = await chat.members(channel);
      if (!list.ok) return failureOutput(list.error);
      const sources = [roomSource(chat.roomOf(channel))];
      return { ...textOutput(list.value.map(personLine).join('\n') || '[Nobody.]'), sources };
    },
  });
  return [whoami, channels, members];
}

/** Puffo 0.8 acknowledges unencrypted messages without reading them. */
const plainMark =
  '  [not encrypted: the server can read it; members who use Puffo 0.8 do not see what is written here]';

interface Person {
  readonly slug: string;
  readonly displayName: string;
  readonly agent: boolean;
  readonly role: string;
}

const personLine = ({ slug, displayName, agent, role }: Person): string =>
  `@${plainName(slug)} (${agent ? 'agent' : 'human'}) name=${quotedName(displayName)} role=${quotedName(role)}`;

function readsChannel(key: 'actions.listMembers' | 'actions.readMessages', channel: string): Assessment {
  const checked = checkChannel(channel);
  const title = say(key, { channel: plainName(channel) });
  return checked.ok ? reads(title) : blockedBy(checked.error, asks(title));
}

async function shownPosts(
  context: ToolCallContext,
  posts: readonly ChatPost[],
  whole = false,
): Promise<ToolOutput> {
  const open = await readablePosts(context, posts);
  return readOutput(open, quotedPosts(open.shown, whole));
}

function createHistoryTools(chat: MessagingPort): readonly Tool[] {
  const channel = defineTool({
    ...reading,
    name: 'get_channel_history',
    description:
      'The latest messages of a channel that begin threads, with how many replies each has; newest last.',
    input: inputs.channelHistory,
    foreign: true,
    assess: (args) => readsChannel('actions.readMessages', args.channel),
    async execute({ channel: id, limit, since, before, after }, context) {
      const left = await leftOutRoom(context, chat.roomOf(id));
      if (left) return left;
      const posts = await chat.channelHistory(id, {
        limit,
        ...(since === '' ? {} : { since }),
        ...(before === 0 ? {} : { before }),
        ...(after === 0 ? {} : { after }),
      });
      return posts.ok ? shownPosts(context, posts.value) : failureOutput(posts.error);
    },
  });
  const thread = defineTool({
    ...reading,
    name: 'get_thread_history',
    description: 'A thread: the message that began it and its replies, newest last.',
    input: inputs.threadHistory,
    foreign: true,
    assess: () => reads(say('actions.readThread')),
    async execute({ root_id: rootId, limit }, context) {
      const posts = await chat.threadHistory(rootId, limit);
      return posts.ok ? shownPosts(context, posts.value) : failureOutput(posts.error);
    },
  });
  const post = defineTool({
    ...reading,
    name: 'get_post',
    description: 'One message, whole.',
    input: inputs.post,
    foreign: true,
    assess: () => reads(say('actions.readMessage')),
    async execute({ post_ref: id }, context) {
      const found = await chat.post(id);
      return found.ok ? shownPosts(context, [found.value], true) : failureOutput(found.error);
    },
  });
  return [channel, thread, post];
}

function createUserTool(chat: MessagingPort): Tool {
  return defineTool({
    ...reading,
    name: 'get_user_info',
    description: 'The public profile of a person or agent.',
    input: inputs.user,
    foreign: true,
    assess: ({ username }) => reads(say('actions.lookUpPerson', { person: plainName(username) })),
    async execute({ username }) {
      const user = await chat.user(username.replace(/^@/, ''));
      return user.ok
        ? textOutput(`${messageProvenance}\n${personLine(user.value)}`)
        : failureOutput(user.error);
    },
  });
}

export const createMessagingTools = (chat: MessagingPort): readonly Tool[] => [
  createSendTool(chat),
  ...createListTools(chat),
  ...createHistoryTools(chat),
  createUserTool(chat),
];
