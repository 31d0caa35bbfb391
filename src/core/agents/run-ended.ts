/**
 * Prompt of the host that tells an agent, once, that a run has ended which it started in a conversation and
 * did not see the end of. Like an introduction prompt it never leaves this computer. It contains no output of
 * the run: the agent reads that with its tool, which marks it as untrusted (T9).
 */
import type { ChannelId, RoomId, SpaceId } from '../../contract/room-id.ts';
import { toHex, utf8 } from '../lib/bytes.ts';
import type { CryptoEngine } from '../ports.ts';
import type { AcceptRow } from '../puffo/account-store.ts';
import { localEnvelopePrefix } from '../puffo/ids.ts';
import { systemSlug } from './introduction.ts';
import { priorityOf } from './priority.ts';
import { systemMessageToken } from './redaction.ts';

export interface RunEnd {
  readonly run: string;
  readonly status: string;
  /** Space, channel and thread of the run; `null` for a direct message. */
  readonly channel: {
    readonly spaceId: SpaceId | null;
    readonly channelId: ChannelId;
    readonly rootId: string;
  } | null;
  readonly roomId: RoomId;
  /** ms since the epoch. */
  readonly at: number;
}

const promptText = ({ run, status }: RunEnd): string =>
  `${systemMessageToken} The run ${run}, which you started with puppy_run and which had to wait, has ended: ${status}. Look at it \
with puppy_resume and say here in a few words what came of it. If nobody needs to know, write [SILENT].`;

/** Deterministic per run, so the store refuses a repeated prompt. */
export function runEndedPrompt(crypto: Pick<CryptoEngine, 'sha256'>, slug: string, end: RunEnd): AcceptRow {
  const { run, channel, roomId, at } = end;
  const envelopeId =
    localEnvelopePrefix + toHex(crypto.sha256(utf8(`run ended\0${slug}\0${run}`))).slice(0, 32);
  return {
    message: {
      envelopeId,
      kind: channel ? 'channel' : 'dm',
      roomId,
      senderSlug: systemSlug,
      spaceId: channel?.spaceId ?? null,
      channelId: channel?.channelId ?? null,
      recipientSlug: null,
      contentType: 'text/plain',
      content: promptText(end),
      sentAt: at,
      receivedAt: at,
      // In a direct message it is its own root, like an introduction prompt.
      threadRootId: channel?.rootId ?? envelopeId,
      replyToId: null,
      visible: false,
      encrypted: true,
    },
    decision: {
      react: true,
      reason: 'run_ended',
      priority: priorityOf({ direct: false, senderIsBot: false, system: true }),
    },
  };
}
