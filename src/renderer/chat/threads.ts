/** Folds the messages of a room: replies and drafts under their root, everything else in order of time. */
import type { ChatMessage, Draft } from '../../contract/model.ts';

export interface Thread {
  readonly root: ChatMessage;
  readonly replies: readonly ChatMessage[];
  readonly drafts: readonly Draft[];
}

export interface Timeline {
  readonly threads: readonly Thread[];
  /** Drafts whose root is not on the screen, or that start something new. */
  readonly loose: readonly Draft[];
}

/** `flat` for direct messages: there a reply is simply the next message. */
export function foldThreads(
  messages: readonly ChatMessage[],
  drafts: readonly Draft[],
  flat: boolean,
): Timeline {
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
    })),
    loose: drafts.filter((draft) => !belongs(draft.threadRootId)),
  };
}

const isRoot = (message: ChatMessage, flat: boolean): boolean =>
  flat || message.threadRootId === null || message.threadRootId === message.id;
