import { useCallback, useEffect, useMemo, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import type { MethodOutput } from '../../contract/methods.ts';
import type { ChatMessage, Room, ServerRow } from '../../contract/model.ts';
import { localize, t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { useReplica, useRoomView } from '../state/subscriptions.ts';
import { ServerRowPair } from './server-row.tsx';

type View = MethodOutput<'chat.serverView'>;

/** Reloads when the room gets a message, so that the operator can see it arrive encrypted. */
function useServerView(room: string): { view: View | null; error: AppError | null } {
  const { link } = useReplica();
  const [view, setView] = useState<View | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const last = useRoomView(room, (state) => state?.messages.at(-1)?.id ?? null);
  const count = useRoomView(room, (state) => state?.messages.length ?? 0);
  const read = useCallback(async () => {
    const result = await link.call('chat.serverView', { room, limit: 100 });
    if (result.ok) setView(result.value);
    setError(result.ok ? null : result.error);
  }, [link, room]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is the reason to read again
  useEffect(() => void read(), [read, last, count]);
  return { view, error };
}

const noMessages: readonly ChatMessage[] = [];

/** Shows what the server stores beside the text that only members' devices can decrypt. */
export function ServerView({ room }: { room: Room }) {
  const { view, error } = useServerView(room.id);
  const messages = useRoomView(room.id, (state) => state?.messages ?? noMessages);
  const plain = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages]);
  return (
    <ScrollRegion className="server-view" label={t('chat.whatServerSees')}>
      <div className="server-column">
        <ErrorNote error={error} />
        {view !== null && !view.available && <NotOurs note={localize(view.note)} />}
        {view?.available && <Sealed rows={view.rows} note={localize(view.note)} plain={plain} />}
      </div>
    </ScrollRegion>
  );
}

function NotOurs({ note }: { note: string }) {
  return (
    <div className="server-intro">
      <h2>{t('workInChat.notOurs')}</h2>
      <p>{note === '' ? t('workInChat.notOursWhy') : note}</p>
    </div>
  );
}

interface SealedOf {
  readonly rows: readonly ServerRow[];
  readonly note: string;
  readonly plain: ReadonlyMap<string, ChatMessage>;
}

function Sealed({ rows, note, plain }: SealedOf) {
  return (
    <>
      <div className="server-intro">
        <h2>
          <Icon name="server" size={18} /> {t('workInChat.allItHas')}
        </h2>
        <p>{t('workInChat.envelopes', { count: rows.length })}</p>
        {note !== '' && <p className="soft">{note}</p>}
      </div>
      <div className="pair is-head" aria-hidden="true">
        <span>{t('workInChat.onServer')}</span>
        <span>{t('workInChat.onComputer')}</span>
      </div>
      {rows.length === 0 && <p className="card-empty">{t('workInChat.nothingSealed')}</p>}
      {rows.map((row) => (
        <ServerRowPair key={row.envelopeId} row={row} message={plain.get(row.envelopeId) ?? null} />
      ))}
    </>
  );
}
