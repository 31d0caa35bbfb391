/** Reads one channel or thread by index; the id breaks ties within one ms, so no message is skipped. */
import type { MessageQueries, MessageRange } from '../../core/puffo/account-store.ts';
import { messageColumns, readStoredMessage } from './account-rows.ts';
import { findRef, packId, packIdOrNull } from './packed-values.ts';
import { numberOf, textOf } from './row-fields.ts';
import type { StoreFile, StoreHandle } from './store-file.ts';

const bounds = `sent_at > :after AND sent_at < :before AND (:since IS NULL OR (sent_at, envelope_id) >
  (SELECT sent_at, envelope_id FROM messages WHERE envelope_id = :since))`;

/** The operator's approval answers are for the host: no tool of an agent shows them to a model (T8). */
const forTools = 'reason IS NOT NULL AND reason IS NOT :consent';

/** The index of rooms holds only direct messages; all conversations with the same person count. */
export const hasFromSql = `SELECT 1 FROM messages WHERE channel_id IS NULL AND sender_slug = :sender AND room_id IN
  (SELECT '#' || id FROM names WHERE name = :room OR (name > :room || '~' AND name < :room || '~~')) LIMIT 1`;

const newestFirst = 'ORDER BY sent_at DESC, m.envelope_id DESC LIMIT :limit';

const rootsSql = `SELECT ${messageColumns},
    (SELECT count(*) FROM messages r WHERE r.thread_root_id = m.envelope_id) AS replies
  FROM messages m WHERE channel_id = :channel AND thread_root_id IS NULL AND ${forTools} AND ${bounds} ${newestFirst}`;

const threadSql = `SELECT ${messageColumns} FROM messages m
  WHERE (envelope_id = :root OR (thread_root_id = :root AND ${forTools})) AND ${bounds} ${newestFirst}`;

// Priorities 1 and 2: a mention or a direct message, even if the agent does not react to those.
const unansweredSql = `SELECT ${messageColumns} FROM messages m LEFT JOIN work w USING (envelope_id)
  WHERE m.received_at >= :since AND m.reason IS NOT NULL AND m.reason IS NOT :own
    AND m.reason IS NOT :introduction AND m.reason IS NOT :run_ended
    AND (w.status IN ('open', 'failed') OR (m.priority <= 2 AND (w.status IS NULL OR w.status = 'silent')))
  ORDER BY m.received_at DESC, m.rowid DESC LIMIT :limit`;

// The unary plus keeps SQLite on the index over `received_at`: the last hour is few rows, the sender's
// history may be many.
const wokenSql = `SELECT received_at FROM messages
  WHERE received_at > :since AND +sender_slug = :sender AND react = 1 ORDER BY received_at DESC LIMIT :limit`;

/** Times are whole ms, which SQLite compares exactly up to these bounds. */
const rangeParams = ({ limit, since, before, after }: MessageRange) => ({
  limit,
  since: packIdOrNull(since ?? null),
  before: before ?? Number.MAX_SAFE_INTEGER,
  after: after ?? -1,
});

/** Reasons as parameters of a query; `null` if no message has that reason. */
const refsOf = (handle: StoreHandle, ...reasons: readonly string[]) =>
  Object.fromEntries(reasons.map((reason) => [reason, findRef(handle, reason)]));

export function createMessageQueries(file: StoreFile): MessageQueries {
  const known = (envelopeId: string): boolean =>
    file.use(
      ({ sql }) =>
        sql('SELECT 1 FROM messages WHERE envelope_id = ?').get([packId(envelopeId)]) !== undefined,
    );
  const checked = (range: MessageRange): MessageRange => {
    const { since, ...rest } = range;
    return since !== undefined && known(since) ? range : rest;
  };
  const spaceOf = (channelId: string): string | null =>
    file.use(({ sql }) => {
      const row = sql('SELECT space_id FROM channel_space_map WHERE channel_id = ?').get([channelId]);
      return row ? textOf(row, 'space_id') : null;
    });
  return {
    spaceOf,
    recent: (channelId, limit) =>
      file.use((handle) => {
        const rows = handle.sql(
          `SELECT ${messageColumns} FROM messages m WHERE channel_id = :channel AND ${forTools} ${newestFirst}`,
        );
        const channel = findRef(handle, channelId);
        return rows
          .all({ channel, limit, ...refsOf(handle, 'consent') })
          .reverse()
          .map(readStoredMessage(handle));
      }),
    hasFrom: (roomId, senderSlug) =>
      file.use(
        (handle) =>
          handle.sql(hasFromSql).get({ room: roomId, sender: findRef(handle, senderSlug) }) !== undefined,
      ),
    wokenBy: (senderSlug, since, limit) =>
      file.use((handle) =>
        handle
          .sql(wokenSql)
          .all({ sender: findRef(handle, senderSlug), since, limit })
          .map((row) => numberOf(row, 'received_at'))
          .reverse(),
      ),
    unanswered: (since, limit) =>
      file.use((handle) =>
        handle
          .sql(unansweredSql)
          .all({ since, limit, ...refsOf(handle, 'own', 'introduction', 'run_ended') })
          .map(readStoredMessage(handle)),
      ),
    roots: (channelId, range) =>
      file.use((handle) => {
        if (spaceOf(channelId) === null) return null;
        const rows = handle.sql(rootsSql).all({
          channel: findRef(handle, channelId),
          ...refsOf(handle, 'consent'),
          ...rangeParams(checked(range)),
        });
        const toMessage = readStoredMessage(handle);
        return rows.reverse().map((row) => ({ message: toMessage(row), replies: numberOf(row, 'replies') }));
      }),
    thread: (rootId, range) =>
      file.use((handle) => {
        if (!known(rootId)) return null;
        const rows = handle.sql(threadSql).all({
          root: packId(rootId),
          ...refsOf(handle, 'consent'),
          ...rangeParams(checked(range)),
        });
        return rows.reverse().map(readStoredMessage(handle));
      }),
  };
}
