/**
 * Renders a batch of stored messages for the model: looks up names, marks mentions of the agent, cuts long
 * messages.
 */

import { markOwnMentions, mentionedSlugs, withSlugs } from '../../contract/mentions.ts';
import { systemSlug } from '../agents/introduction.ts';
import { messageText } from '../agents/message-text.ts';
import { redactLongMessage } from '../agents/redaction.ts';
import { directMessageName, formatUserBlock, withoutHeads } from '../agents/user-block.ts';
import { raceAgainst } from '../lib/sleep.ts';
import { type ImageBlock, type UserMessage, userMessage } from '../models/messages.ts';
import type { Clock } from '../ports.ts';
import type { AccountPort } from '../puffo/account-port.ts';
import type { OpenWork } from '../puffo/account-store.ts';
import { isLocalEnvelopeId } from '../puffo/ids.ts';
import type { PersonProfile } from '../puffo/registry-store.ts';
import type { StoredMessage } from '../puffo/stored-message.ts';
import type { FileIntake } from '../tools/chat-files.ts';
import type { TurnContext } from './worker-ports.ts';

type Limits = Pick<TurnContext, 'maxInlineChars' | 'segmentChars'>;

export interface BlockDeps {
  readonly files?: FileIntake;
  readonly account: AccountPort;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Sender of the host's own prompts. */
const host = { slug: systemSlug, displayName: 'Kennel', avatarUrl: '', role: '', roleShort: '', agent: true };

/** Longest wait for a display name in ms; after it, the slug is used. */
const nameMs = 5_000;

/** Most pictures in one model message; further ones are only named. */
const maxImages = 10;

/** Renders the messages and attaches their pictures. */
export async function batchMessage(
  deps: BlockDeps,
  work: readonly OpenWork[],
  limits: Limits,
): Promise<UserMessage> {
  const blocks: string[] = [];
  const images: ImageBlock[] = [];
  for (const one of work) blocks.push(await blockFor(deps, one, limits, images));
  const messages = work.map(({ message }) => ({ id: message.envelopeId, senderSlug: message.senderSlug }));
  const origin = { messages, untrusted: false };
  const said: UserMessage = { ...userMessage(blocks.join('\n\n'), deps.clock.now()), origin };
  return images.length === 0 ? said : { ...said, content: [...said.content, ...images] };
}

/** One line per file; attached pictures are numbered in order. */
async function attachmentLines(
  deps: BlockDeps,
  message: StoredMessage,
  names: readonly string[],
  images: ImageBlock[],
): Promise<readonly string[]> {
  if (names.length === 0 || !deps.files) return names.map(oneLine);
  const files = await deps.files.fetch(message, deps.signal);
  return files.map(({ path, failure, image }) => {
    if (failure !== null) return oneLine(`${path} (not here: ${failure})`);
    if (!image || images.length >= maxImages) return oneLine(path);
    images.push(image);
    return oneLine(`${path} (picture ${images.length})`);
  });
}

async function blockFor(
  deps: BlockDeps,
  { message, rootId }: OpenWork,
  limits: Limits,
  images: ImageBlock[],
): Promise<string> {
  const { account } = deps;
  const { text: said, attachments } = messageText(message);
  const text = message.channelId === null ? said : withSlugs(said, account.members(message.channelId));
  const local = isLocalEnvelopeId(message.envelopeId);
  const sender = local ? host : await personOf(deps, message.senderSlug);
  const mentioned = await Promise.all(
    mentionedSlugs(text)
      .slice(0, 50)
      .map((slug) => personOf(deps, slug)),
  );
  const redaction = redactLongMessage({
    text,
    envelopeId: message.envelopeId,
    senderSlug: message.senderSlug,
    senderName: sender.displayName === message.senderSlug ? '' : sender.displayName,
    maxInline: limits.maxInlineChars,
    segmentSize: limits.segmentChars,
  });
  return formatUserBlock({
    spaceName: message.spaceId ? roomLabel(account.spaceName(message.spaceId)) : '',
    spaceId: oneLine(message.spaceId ?? ''),
    channelName: message.channelId ? roomLabel(account.channelName(message.channelId)) : directMessageName,
    channelId: oneLine(message.channelId ?? ''),
    postId: oneLine(message.envelopeId),
    rootId: oneLine(rootId),
    createdAt: message.sentAt,
    senderName: oneLine(sender.displayName),
    senderSlug: oneLine(message.senderSlug),
    senderType: sender.agent ? 'bot' : 'human',
    visible: message.visible,
    mentions: mentioned.map((person) => ({
      slug: person.slug,
      agent: person.agent,
      self: person.slug === account.slug,
    })),
    attachments: await attachmentLines(deps, message, attachments, images),
    text: local ? text : (redaction?.placeholder ?? withoutHeads(markOwnMentions(text, account.slug))),
  });
}

/** A name or id with line breaks could forge further fields of the block. */
const oneLine = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ').trim();

const mostLabelChars = 32;
const plainWords = /^[\p{L}\p{N}_#-]+(?: [\p{L}\p{N}_#-]+){0,2}$/u;

/**
 * Name of a space or channel for the prompt; empty if the name is more than three plain words, so that the block shows
 * the id alone. The owner of a room names it, and a longer name could hold an instruction in a turn that is not
 * marked as untrusted (T9).
 */
function roomLabel(name: string): string {
  const line = oneLine(name);
  return line.length <= mostLabelChars && plainWords.test(line) ? line : '';
}

async function personOf(deps: BlockDeps, slug: string): Promise<PersonProfile> {
  const unknown = { slug, displayName: slug, avatarUrl: '', role: '', roleShort: '', agent: false };
  try {
    const asked = await raceAgainst(deps.account.person(slug), deps.clock, nameMs, deps.signal);
    return asked.type === 'value' ? asked.value : unknown;
  } catch {
    return unknown;
  }
}
