/**
 * The messaging tools for external programs that act as an agent: with the names and defaults of spec §7, and
 * some additional ones. Text of others is quoted and marked here, too.
 */
import { z } from 'zod';
import type { Assessment } from '../../../core/policy/assessment.ts';
import { roomSource } from '../../../core/policy/source.ts';
import type { MessageSearchPort, MessagingPort } from '../../../core/tools/chat-ports.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { failureOutput, textOutput, toolErrorOutput } from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { englishText, type HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { quotedName } from '../files/shown-path.ts';
import { messageProvenance, quotedPosts } from './fenced-messages.ts';
import { leftOutRoom, readableMessage, readablePosts, readOutput } from './readable.ts';

const reads = (title: HostText, body = englishText(title)): Assessment => ({
  risk: 'low',
  effects: [],
  preview: { kind: 'text', title, body, where: say('approvals.teamChat') },
});

const reading = {
  group: 'puffo',
  core: false,
  timeoutMs: 30_000,
  replay: 'safe',
  foreign: true,
  reveals: [],
} as const;

/** Segments of `size` code points, counted from 0 like in the notice about a long message. */
function segmentsOf(text: string, size: number): readonly string[] {
  const points = [...text];
  const count = Math.max(1, Math.ceil(points.length / size));
  return Array.from({ length: count }, (_, n) => points.slice(n * size, (n + 1) * size).join(''));
}

export function createSegmentTool(chat: Pick<MessagingPort, 'post'>): Tool {
  return defineTool({
    ...reading,
    name: 'get_post_segment',
    description: 'A piece of a long message; the first is segment 0.',
    input: z.strictObject({
      envelope_id: z.string().min(1).max(200),
      segment: z.number().int().min(0),
      segment_size: z.number().int().min(1).max(16_000).default(2_000),
    }),
    assess: () => reads(say('actions.readMessage')),
    async execute({ envelope_id: id, segment, segment_size: size }, context) {
      const found = await chat.post(id);
      if (!found.ok) return failureOutput(found.error);
      const left = await leftOutRoom(context, found.value.roomId);
      if (left) return left;
      const segments = segmentsOf(found.value.text, size);
      const text = segments[segment];
      if (text === undefined) {
        return toolErrorOutput(
          `There is no segment ${segment}; the message has ${segments.length}, the last is ${segments.length - 1}.`,
        );
      }
      const post = quotedPosts([{ ...found.value, text }], true);
      const shown = `Segment ${segment} of 0 to ${segments.length - 1}.\n${post}`;
      return { ...textOutput(shown), sources: [roomSource(found.value.roomId)] };
    },
  });
}

export function createSearchTool(chat: MessageSearchPort & Pick<MessagingPort, 'roomOf'>): Tool {
  return defineTool({
    ...reading,
    name: 'search_messages',
    description:
      'Messages that hold all the words, newest last; in one channel, or wherever you are. "…" keeps words together, and a * at the end of a word matches any ending.',
    input: z.strictObject({
      query: z.string().min(1).max(500),
      channel: z.string().max(200).default('').describe('@slug or id of a channel; empty for all'),
      limit: z.number().int().min(1).max(100).default(20),
    }),
    assess: ({ query }) => reads(say('actions.searchMessages'), query),
    async execute({ query, channel, limit }, context) {
      const left = channel === '' ? null : await leftOutRoom(context, chat.roomOf(channel));
      if (left) return left;
      const { mayRead } = context;
      const found = await chat.search({ words: query, channel, limit, ...(mayRead ? { mayRead } : {}) });
      if (!found.ok) return failureOutput(found.error);
      const { posts, more, leftOut } = found.value;
      const open = { ...(await readablePosts(context, posts)), leftOut };
      const rest = more ? '\n[There are older ones; more words find fewer.]' : '';
      return readOutput(open, (posts.length === 0 ? '[Nothing found.]' : quotedPosts(open.shown)) + rest);
    },
  });
}

function createAgentsTool(chat: Pick<MessagingPort, 'channels' | 'members'>): Tool {
  return defineTool({
    ...reading,
    name: 'list_agents',
    description: 'The agents in the channels you are in.',
    input: z.strictObject({}),
    assess: () => reads(say('actions.listAgents')),
    async execute(_args, context) {
      const channels = await chat.channels();
      if (!channels.ok) return failureOutput(channels.error);
      const lines = new Map<string, string>();
      const open = await readableMessage(context, channels.value, ({ id }) => id);
      for (const { id } of open.shown) {
        const members = await chat.members(id);
        if (!members.ok) return failureOutput(members.error);
        for (const { slug, displayName, role, agent } of members.value) {
          if (agent) lines.set(slug, `@${slug} name=${quotedName(displayName)} role=${quotedName(role)}`);
        }
      }
      if (lines.size === 0) return readOutput(open, '[No agents.]');
      return readOutput(open, `${messageProvenance}\n${[...lines.values()].sort().join('\n')}`);
    },
  });
}

export const createFurtherTools = (chat: MessagingPort & MessageSearchPort): readonly Tool[] => [
  createSegmentTool(chat),
  createSearchTool(chat),
  createAgentsTool(chat),
];
