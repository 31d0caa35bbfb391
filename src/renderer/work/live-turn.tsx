import { type FormEvent, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { TurnSummary } from '../../contract/work-methods.ts';
import { t } from '../../language/texts.ts';
import { Steps } from '../chat/steps.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { AskList } from '../inbox/ask-list.tsx';
import { Icon } from '../mark/icon.tsx';
import { GrowingMarkdown } from '../markdown/markdown.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { act, useAction, useSubmit } from '../state/action.ts';
import { useAsked, useShown } from '../state/approvals.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

/** A turn while it runs: its steps and text as they come, its questions, and the ways to steer and stop it. */
export function LiveTurnPanel({ turn, roomId }: { turn: TurnSummary; roomId: string }) {
  const { room, link } = useReplica();
  const topic = room(roomId);
  useEffect(() => topic.use(), [topic]);
  const draft = useStore(topic.store, ({ state }) => state?.drafts[turn.id] ?? null);
  const asked = useAsked();
  const steps = draft?.steps ?? none;
  const own = useMemo(
    () => asked.filter((one) => steps.some(({ approvalId }) => approvalId === one.id)),
    [asked, steps],
  );
  const shown = useShown(own);
  const name = visibleLine(turn.agentName);
  const stop = async (): Promise<void> => {
    const stopped = await act(link, 'agents.stop', { agent: turn.agentId, turn: turn.id });
    if (stopped) showNotice(t('workInChat.stopped', { name }));
  };
  return (
    <section className="card stack live-turn" aria-labelledby="turn-now">
      <header className="card-head">
        <h2 id="turn-now">{t('work.now')}</h2>
        <button type="button" className="button is-small" onClick={() => void stop()}>
          <Icon name="stop" size={14} /> {t('work.stopTurn')}
        </button>
      </header>
      <Steps steps={steps} />
      {draft !== null && draft.text !== '' && <GrowingMarkdown text={draft.text} />}
      <AskList shown={shown} compact />
      <Steer roomId={roomId} threadRootId={draft?.threadRootId ?? null} name={name} />
    </section>
  );
}

const none = [] as const;

/** A message into the conversation of the turn, which the agent reads between two steps if it can. */
function Steer({ roomId, threadRootId, name }: SteerOf) {
  const send = useAction('chat.send');
  const [text, setText] = useState('');
  const { busy, submit } = useSubmit(async () => {
    const thread = threadRootId === null ? {} : { threadRootId };
    const sent = await send.run({ to: roomId, text: text.trim(), ...thread });
    if (!sent.ok) return;
    setText('');
    showNotice(t('work.steered', { name }));
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') submit();
  };
  return (
    <form className="steer" onSubmit={onSubmit}>
      <Field
        label={t('work.steer', { name })}
        value={text}
        maxLength={4_000}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button" disabled={busy || text.trim() === ''}>
        {t('work.send')}
      </button>
      <ErrorNote error={send.error} />
    </form>
  );
}

interface SteerOf {
  readonly roomId: string;
  readonly threadRootId: string | null;
  readonly name: string;
}
