import type { AppError } from '../../contract/errors.ts';
import { conversationIn, readConversation, roomIdOf } from '../../core/agents/thread-key.ts';
import { threadRootOf } from '../../core/agents/thread-root.ts';
import { codeSpan } from '../../core/approvals/shown-text.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { RestorePoint } from '../../core/undo/snapshot-port.ts';
import type { AgentMessaging } from '../fleet/messaging.ts';
import { taskChannel } from '../tasks/task-ends.ts';
import type { Undo } from './undo.ts';
import { shownPathOf } from './undo-view.ts';

/** Most paths that the answer names. */
const mostNamed = 10;
/** Most code points of a path. */
const pathPoints = 300;
/** Points looked at for the last turn of a conversation. */
const mostPoints = 200;

export interface ChatUndoDeps {
  readonly undo: Pick<Undo, 'list' | 'plan' | 'apply'>;
  /** The running agent, or `null`. */
  post(agentId: string): {
    readonly store: AccountStore | null;
    readonly capabilities: { messaging(): Promise<Pick<AgentMessaging, 'send'>> } | null;
  } | null;
  /** Real path of the agent's workspace, or `null`. */
  workspace(agentId: string): string | null;
}

type Conversation = NonNullable<ReturnType<typeof readConversation>>;

const callOf = ({ envelopeId }: StoredMessage): string => `said-${envelopeId}`;

/** A message in a thread means this thread; one in a channel or direct messages means all of it. */
function isMeant(point: RestorePoint, place: Conversation): boolean {
  const found = readConversation(point.threadKey);
  if (found?.kind === 'dm') return place.kind === 'dm' && roomIdOf(found) === roomIdOf(place);
  if (found?.kind !== 'channel' || place.kind !== 'channel') return false;
  return found.channelId === place.channelId && (place.rootId === null || found.rootId === place.rootId);
}

/** An agent chose the names, perhaps as untrusted content told it (T8). */
const named = (paths: readonly string[], count = paths.length): string => {
  const shown = paths.slice(0, mostNamed).map((path) => codeSpan(path, pathPoints).text);
  const more = count > shown.length ? ` and ${count - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
};

const failed = ({ message, hint }: AppError): string =>
  `Nothing was undone: ${message}${hint ? ` ${hint}` : ''}`;

/**
 * Reverts the last turn of the agent in the conversation of a message of the operator, and answers there.
 * Idempotent, so it can run again after a crash. Returns false if it is not possible now.
 */
export async function heedUndo(deps: ChatUndoDeps, agentId: string, said: StoredMessage): Promise<boolean> {
  const post = deps.post(agentId);
  if (!post?.store || !post.capabilities) return false;
  const { store } = post;
  const threaded = said.threadRootId !== null;
  const rootId = threadRootOf(said, (id) => store.message(id));
  const place = conversationIn(said.roomId, rootId);
  const meant = threaded || place.kind === 'dm' ? place : { ...place, rootId: null };
  const text = await undoLast(deps, agentId, said, meant);
  const messaging = await post.capabilities.messaging();
  const sent = await messaging.send({
    turnId: 'undo',
    callId: callOf(said),
    ...taskChannel(place),
    text,
    visible: true,
  });
  return sent.ok;
}

async function undoLast(
  deps: ChatUndoDeps,
  agentId: string,
  said: StoredMessage,
  place: Conversation,
): Promise<string> {
  const { undo } = deps;
  const listed = await undo.list({ agentId, limit: mostPoints, mostChanges: mostNamed });
  if (!listed.ok) return failed(listed.error);
  const owner = { name: agentId, cwd: deps.workspace(agentId) };
  const shown = (paths: readonly string[], count?: number): string =>
    named(
      paths.map((path) => shownPathOf(owner, path)),
      count,
    );
  const done = listed.value.find(({ callId }) => callId === callOf(said));
  // A crash came between the revert and its answer.
  if (done) {
    const paths = done.changes.map(({ path }) => path);
    return `Undone: ${shown(paths, done.changeCount)}.`;
  }
  // The message may be carried out long after it was sent; it means what was there then.
  const until = Math.min(said.sentAt, said.receivedAt);
  const last = listed.value
    .filter(
      ({ tool, undoneBy, endedAt, at }) => tool !== 'undo' && !undoneBy && endedAt !== null && at < until,
    )
    .find((point) => isMeant(point, place));
  if (!last) return 'I changed no files in this conversation that could be undone.';
  const target = { point: last.id, whole: 'turn', until } as const;
  const plan = await undo.plan(target);
  if (!plan.ok) return failed(plan.error);
  const { digest } = plan.value;
  const reverted = await undo.apply({ ...target, digest, changed: 'keep', callId: callOf(said) });
  if (!reverted.ok) return failed(reverted.error);
  const { restored, kept } = reverted.value;
  const left =
    kept.length === 0 ? '' : ` Kept as it is now: ${shown(kept)}. Decide about that in Kennel's window.`;
  return restored.length === 0
    ? `Nothing was undone.${left}`
    : `Undone: ${shown(restored)}. You can undo this undo in Kennel's window.${left}`;
}
