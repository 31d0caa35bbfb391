/**
 * The operator's notes on messages. They change only the operator's own store: nothing is sent, and no agent
 * reads them or reacts to them.
 */
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { Handlers } from '../dispatch.ts';
import type { Chat } from './chat.ts';
import type { ChatSelf } from './self.ts';

type AnnotationMethods = Pick<Handlers, 'chat.react' | 'chat.pin' | 'chat.delete'>;

export interface AnnotationDeps {
  readonly chat: Pick<Chat, 'annotated' | 'changed' | 'roomsChanged'>;
  readonly clock: Clock;
  self(): ChatSelf | null;
}

/** Reactions of the operator per message. */
const mostReactions = 20;

const nobody = fail('conflict', 'chat.chatNeedsOperator', {}, { help: 'chat.startDemoOrSignUp' });

interface Found {
  readonly self: ChatSelf;
  readonly message: StoredMessage;
}

export function createAnnotationHandlers({ chat, clock, self }: AnnotationDeps): AnnotationMethods {
  const find = (id: string): Result<Found> => {
    const me = self();
    if (!me) return err(nobody);
    const message = me.store.message(id);
    const gone = !message || me.store.annotations.of(id)?.deleted === true;
    return gone
      ? err(fail('not_found', 'chat.notYourMessage', { id }, { help: 'chat.findMessageIds' }))
      : ok({ self: me, message });
  };
  return {
    'chat.react': ({ message: id, emoji, on }) => {
      const found = find(id);
      if (!found.ok) return found;
      const { store } = found.value.self;
      const others = (store.annotations.of(id)?.reactions ?? []).filter((one) => one !== emoji);
      if (on && others.length >= mostReactions) return err(fail('rate_limited', 'chat.tooManyReactions'));
      store.annotations.setReactions(id, on ? [...others, emoji] : others);
      chat.annotated(found.value.message.roomId);
      return ok({});
    },
    'chat.pin': ({ message: id, on }) => {
      const found = find(id);
      if (!found.ok) return found;
      found.value.self.store.annotations.setPinned(id, on ? clock.now() : null);
      chat.annotated(found.value.message.roomId);
      return ok({});
    },
    'chat.delete': ({ message: id }) => {
      const found = find(id);
      if (!found.ok) return found;
      const { store } = found.value.self;
      const state = store.outbox(id)?.state;
      if (state === 'queued' || state === 'sealed') return err(fail('conflict', 'chat.deleteAfterSending'));
      store.annotations.deleteMessage(id, clock.now());
      chat.annotated(found.value.message.roomId);
      chat.changed(id);
      chat.roomsChanged();
      return ok({});
    },
  };
}
