/** Joins the units that encrypt and send the messages of an account; created with its first message. */
import type { AccountStore } from '../../core/puffo/account-store.ts';
import type { OutgoingFiles } from '../../core/tools/chat-files.ts';
import type { AccountSession } from './account-session.ts';
import type { AccountEvents, AccountPorts } from './account-types.ts';
import type { ServerDirectory } from './directory.ts';
import { MessageSealer } from './message-sealer.ts';
import type { OutboxSending } from './outbox.ts';
import { Recipients } from './recipients.ts';
import type { Rooms } from './rooms.ts';
import { MessageDelivery } from './seal-and-send.ts';
import { createSendFormats } from './send-formats.ts';
import { createUploads } from './uploads.ts';

export interface SendingWiring {
  readonly session: AccountSession;
  readonly directory: ServerDirectory;
  readonly rooms: Rooms;
  readonly store: AccountStore;
  readonly files: OutgoingFiles | undefined;
  readonly ports: AccountPorts;
  readonly events: AccountEvents;
  isScripted(): boolean;
}

export function createAccountSending(wiring: SendingWiring): OutboxSending {
  const { session, directory, rooms, store, files, events, isScripted } = wiring;
  const { crypto, clock, log } = wiring.ports;
  const { client, subkeys } = session;
  const { slug } = session.identity;
  const recipients = new Recipients({
    ownSlug: slug,
    client,
    identities: directory.identities,
    members: directory.members,
    clock,
    onGhostDevice: (owner, reason) => {
      store.countRefused('ghost_device');
      log.warn('account.ghost_device', { owner, reason });
      events.onRefused('ghost_device');
    },
  });
  const sealer = new MessageSealer({
    sender: { slug, isScripted },
    store,
    subkeys,
    crypto,
    clock,
    recipients,
  });
  return {
    delivery: new MessageDelivery({ sealer, client, formats: createSendFormats(directory.formats, rooms) }),
    uploads: createUploads({ store, files, events, client }),
  };
}
