/** Groups a room's messages: replies and drafts under their root, everything else by time. */
import type { Approval } from '../../contract/approvals.ts';
import type { ChatMessage, LiveDraft } from '../../contract/model.ts';
import type { Brake } from '../../contract/work.ts';

export interface ShownThread {
  readonly root: ChatMessage;
  readonly replies: readonly ChatMessage[];
  readonly drafts: readonly LiveDraft[];
  readonly aside: Aside;
}

export interface RoomTimeline {
  readonly threads: readonly ShownThread[];
  /** Drafts without a root on screen, or that start a new thread. */
  readonly loose: readonly LiveDraft[];
  readonly looseAside: Aside;
}

/** Content beside a thread's messages: approvals that came from it, and brakes that pause it. */
export interface Aside {
  readonly asked: readonly Approval[];
  readonly brakes: readonly Brake[];
}

const nothing: Aside = { asked: [], brakes: [] };

/** `flat` is for direct messages, which show a reply as the next message. */
export function foldThreads(
  messages: readonly ChatMessage[],
  drafts: readonly LiveDraft[],
  flat: boolean,
  aside: Aside = nothing,
): RoomTimeline {
  const roots = new Set(messages.filter((message) => isRoot(message, flat)).map((message) => message.id));
  const belongs = (rootId: string | null): rootId is string => !flat && rootId !== null && roots.has(rootId);
  const replies = new Map<string, ChatMessage[]>();
  const tops: ChatMessage[] = [];
  for (const message of messages) {
    const rootId = message.threadRootId;
    if (belongs(rootId) && rootId !== message.id)
      replies.set(rootId, [...(replies.get(rootId) ?? []), message]);
    else tops.push(message);
  }
  return {
    threads: tops.map((root) => ({
      root,
      replies: replies.get(root.id) ?? [],
      drafts: drafts.filter((draft) => belongs(draft.threadRootId) && draft.threadRootId === root.id),
      aside: asideOf(aside, (rootId) => belongs(rootId) && rootId === root.id),
    })),
    loose: drafts.filter((draft) => !belongs(draft.threadRootId)),
    looseAside: asideOf(aside, (rootId) => !belongs(rootId)),
  };
}

function asideOf(aside: Aside, fits: (rootId: string | null) => boolean): Aside {
  const asked = aside.asked.filter((approval) => fits(approval.threadRootId));
  const brakes = aside.brakes.filter((brake) => fits(brake.rootId));
  return asked.length === 0 && brakes.length === 0 ? nothing : { asked, brakes };
}

export const isEmptyAside = (aside: Aside): boolean => aside.asked.length === 0 && aside.brakes.length === 0;

const isRoot = (message: ChatMessage, flat: boolean): boolean =>
  flat || message.threadRootId === null || message.threadRootId === message.id;
