/** Renders one message for the model: a Markdown list in a fixed order (spec §3.5, vectors `user_block`). */

export interface BlockMention {
  readonly slug: string;
  readonly agent: boolean;
  readonly self: boolean;
}

export interface UserBlock {
  readonly spaceName: string;
  readonly spaceId: string;
  /** `Direct message` for a direct message. */
  readonly channelName: string;
  /** Empty for a direct message. */
  readonly channelId: string;
  readonly postId: string;
  /** Empty for a root, which is its own thread. */
  readonly rootId: string;
  /** ms since the epoch; 0 if unknown. */
  readonly createdAt: number;
  readonly senderName: string;
  readonly senderSlug: string;
  readonly senderType: 'human' | 'bot';
  readonly visible: boolean;
  readonly mentions: readonly BlockMention[];
  readonly attachments: readonly string[];
  readonly text: string;
}

export const directMessageName = 'Direct message';

export function formatUserBlock(block: UserBlock): string {
  const lines: string[] = [];
  if (block.spaceName) lines.push(`- space: ${block.spaceName}`);
  if (block.spaceId) lines.push(`- space_id: ${block.spaceId}`);
  lines.push(`- channel: ${block.channelName || block.channelId}`);
  if (block.channelId) lines.push(`- channel_id: ${block.channelId}`);
  if (block.postId) lines.push(`- post_id: ${block.postId}`);
  const root = block.rootId || block.postId;
  if (root) lines.push(`- thread_root_id: ${root}`);
  const time = isoSeconds(block.createdAt);
  if (time) lines.push(`- timestamp: ${time}`);
  lines.push(`- sender: ${block.senderName || block.senderSlug}`);
  lines.push(`- sender_slug: ${block.senderSlug}`);
  lines.push(`- sender_type: ${block.senderType}`);
  lines.push(`- is_visible_to_human: ${block.visible}`);
  if (block.mentions.length > 0) {
    lines.push('- mentions:', ...block.mentions.map((one) => `  - ${one.slug} (${kindOf(one)})`));
  }
  if (block.attachments.length > 0) {
    lines.push('- attachments:', ...block.attachments.map((path) => `  - ${path}`));
  }
  lines.push(`- message: ${block.text}`);
  return lines.join('\n');
}

/**
 * Lines that look like the head of a block, or like the lines that, according to the primer, only Kennel
 * writes.
 */
const headLine =
  /^(?=- (?:space|space_id|channel|channel_id|post_id|thread_root_id|timestamp|sender|sender_slug|sender_type|is_visible_to_human|message): |[ \t]*\[puffo-agent system message\])/gim;

/** Keeps text inside or beside a block from forging a block of another sender (T9). */
export const withoutHeads = (text: string): string =>
  text.replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replaceAll(headLine, '> ');

function kindOf(mention: BlockMention): 'you' | 'human' | 'agent' {
  if (mention.self) return 'you';
  return mention.agent ? 'agent' : 'human';
}

/** First ms that a four-digit year cannot represent. */
const endOfYears = 253_402_300_800_000;

/**
 * ISO 8601 in UTC, whole seconds rounded down, with a numeric offset; empty for 0 and for dates out of range.
 */
function isoSeconds(ms: number): string {
  if (ms <= 0 || ms >= endOfYears) return '';
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+00:00');
}

export interface ReadBlock {
  readonly senderName: string;
  readonly senderSlug: string;
  readonly senderAgent: boolean;
  /** Written in a channel, not in a direct message. */
  readonly inChannel: boolean;
  readonly text: string;
}

/** Parses the last block of a user entry; a text without blocks is returned whole. */
export function readLastBlock(entry: string): ReadBlock {
  const start = Math.max(entry.lastIndexOf('\n- post_id: '), entry.startsWith('- post_id: ') ? 0 : -1);
  const block = start < 0 ? '' : entry.slice(start);
  const at = block.indexOf('\n- message: ');
  if (at < 0) return { senderName: '', senderSlug: '', senderAgent: false, inChannel: false, text: entry };
  const head = block.slice(0, at);
  return {
    senderName: /\n- sender: (.*)/.exec(head)?.[1] ?? '',
    senderSlug: /\n- sender_slug: (.*)/.exec(head)?.[1] ?? '',
    senderAgent: /\n- sender_type: bot/.test(head),
    inChannel: /(?:^|\n)- channel_id: .*$/.test(entry.slice(0, start)),
    text: block.slice(at + '\n- message: '.length),
  };
}
