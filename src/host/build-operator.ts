import type { Clock, DiskPort, Log, Random } from '../core/ports.ts';
import { say } from '../language/say.ts';
import type { AccountEvents } from '../services/puffo/account-types.ts';
import type { Chat } from './chat/chat.ts';
import { createOperator, type Operator } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import type { Problems } from './problems.ts';
import { createReceivedInvites, type ReceivedInvites } from './spaces/received-invites.ts';
import type { WatchStore } from './stores/store-watch.ts';

/** Everything that the operator's account and its events use. */
export interface OperatorWiring {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly watchStore: WatchStore;
  readonly chat: Chat;
}

/** Reactions of other features to events of the operator’s account. */
export interface OperatorHooks {
  readonly onHeld: NonNullable<AccountEvents['onHeld']>;
  onContact(slug: string): void;
  onOnline(): void;
  onRooms(): void;
  onViewChanged(): void;
}

export interface OperatorParts {
  readonly operator: Operator;
  readonly invites: ReceivedInvites;
}

/** Part of the composition root: the operator's account, and the invitations that it received. */
export function buildOperator(wiring: OperatorWiring, hooks: OperatorHooks): OperatorParts {
  const { clock, random, log, layout, disk, problems, watchStore, chat } = wiring;
  const events: AccountEvents = {
    onConnection: (connection, detail) => {
      if (connection === 'blocked' && detail) problems.set('connection', 'error', detail);
      else if (connection === 'online') {
        problems.clear('connection');
        hooks.onOnline();
      }
      if (connection === 'online') chat.online();
      chat.roomsChanged();
      hooks.onViewChanged();
    },
    onAccepted: (messages) => chat.accepted(messages),
    onOutbox: (envelopeId) => chat.settled(envelopeId),
    onUpload: (...progress) => chat.uploaded(...progress),
    onRefused: (reason) =>
      problems.set(`refused-${reason}`, 'warning', {
        message: say('chat.messageRefused', { reason }),
      }),
    onRooms: () => {
      chat.roomsChanged();
      hooks.onRooms();
    },
    onInvites: (waiting) => invites.heard(waiting),
    onProcessing: (frame) => chat.elsewhere.processing(frame),
    onAgentStatus: (frame) => chat.elsewhere.status(frame),
    onHeld: hooks.onHeld,
    onContact: hooks.onContact,
  };
  const operator = createOperator({
    layout,
    disk,
    loadOpener: async () => {
      const { openOperatorSession } = await import('./identity/operator-session.ts');
      const deps = { layout, clock, random, log, events, watchStore };
      return (parts, record) => openOperatorSession(deps, parts, record);
    },
  });
  const invites = createReceivedInvites(operator, () => {
    chat.roomsChanged();
    hooks.onViewChanged();
  });
  return { operator, invites };
}
