/** The server's view of a conversation: its rows as stored, with shortened ciphertext. */
import { z } from 'zod';
import type { ServerRow } from '../contract/model.ts';
import type { MailRow, RelayStore, RoomQuery } from './store-port.ts';

const shownCharacters = 300;
const sealedSchema = z.object({ content_ciphertext: z.string() });

/** Newest last. */
export function serverRows(store: RelayStore, room: RoomQuery, limit: number): ServerRow[] {
  return store.mail
    .recent(room, limit)
    .map((row) => ({
      envelopeId: row.envelopeId,
      senderSlug: row.senderSlug,
      sentAt: row.sentAt,
      bytes: Buffer.byteLength(row.body),
      recipients: row.devices.length,
      ciphertext: shown(row),
    }))
    .reverse();
}

/** Shows a plaintext message as readable text, because the server can read it. */
function shown(row: MailRow): string {
  const sealed = sealedSchema.safeParse(JSON.parse(row.body));
  const text = sealed.success ? sealed.data.content_ciphertext : row.body;
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
