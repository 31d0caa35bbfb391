import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { readNew } from '../../contract/chat-commands.ts';
import type { AgentSummary, Room } from '../../contract/model.ts';
import { dmRoomId } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { AmbiguousNames, MentionMenu, type Mentions, useMentions } from '../chat/mention-suggestions.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { act, useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { useAgents, useReplica } from '../state/subscriptions.ts';
import { QuickAskExchange } from './exchange.tsx';
import { readQuestion } from './read-question.ts';

type Members = Room['members'];
type Askable = AgentSummary & { readonly slug: string };

interface Asked {
  readonly agent: Askable;
  readonly roomId: string;
  readonly messageId: string;
}

const isAskable = (agent: AgentSummary): agent is Askable => agent.slug !== null;

/** Own agents with an account, in the form of a room's members; not ready until the host has told its agents. */
function useAskable() {
  const all = useAgents((agents) => agents);
  return useMemo(() => {
    const agents: readonly Askable[] = Object.values(all ?? {}).filter(isAskable);
    const members: Members = agents.map(({ slug, displayName }) => ({
      slug,
      displayName,
      agent: true,
      role: '',
    }));
    return { agents, members, isReady: all !== null };
  }, [all]);
}

/** The typed question: who is asked, what is missing, and how it is sent. */
function useQuestion({ agents, members, isReady }: ReturnType<typeof useAskable>) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<Asked | null>(null);
  const [missing, setMissing] = useState('');
  // Enter was pressed before the agents were known.
  const [isEarly, setEarly] = useState(false);
  const send = useAction('chat.send');
  const begin = useAction('chat.newConversation');
  // With several agents, the list to choose from is open at once.
  const [isPrefilled, setPrefilled] = useState(false);
  if (!isPrefilled && agents.length > 1) {
    setPrefilled(true);
    if (text === '') setText('@');
  }
  const only = agents.length === 1 ? agents[0] : undefined;

  async function submit(): Promise<void> {
    if (!isReady) return setEarly(true);
    const { slug, isUnclear, question } = readQuestion(text, members);
    if (isUnclear) return setMissing(t('quickAsk.unclearAgent'));
    const named = agents.find((one) => one.slug === slug);
    const agent = slug === null ? (asked?.agent ?? only) : named;
    if (agent === undefined) return setMissing(t('quickAsk.chooseAgent'));
    const inNew = readNew(question);
    if ((inNew ?? question) === '')
      return setMissing(t('quickAsk.typeQuestion', { name: visibleLine(agent.displayName) }));
    if (send.busy || begin.busy) return;
    // Cleared before, so that the next question can be typed meanwhile; a failed one comes back before it.
    setText('');
    const sent = await sendTo(agent, inNew, question);
    if (sent.ok) setAsked({ agent, ...sent.value });
    else setText((typed) => (typed === '' ? text : `${text} ${typed}`));
  }

  /** Further questions to the same agent stay in the conversation of the last one. */
  async function sendTo(agent: Askable, inNew: string | null, question: string) {
    const main = dmRoomId(agent.slug);
    if (inNew === null) {
      const to = asked?.agent.slug === agent.slug ? asked.roomId : main;
      return send.run({ to, text: question });
    }
    const begun = await begin.run({ room: main });
    return begun.ok ? send.run({ to: begun.value.roomId, text: inNew }) : begun;
  }

  function type(next: string): void {
    // A person may type the first `@` themselves, before or after it was prefilled.
    setText(next.replace(/^@{2,}/, '@'));
    setMissing('');
    setEarly(false);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: sends once, when the agents arrive
  useEffect(() => {
    if (!isEarly || !isReady) return;
    setEarly(false);
    void submit();
  }, [isEarly, isReady]);
  return { text, type, asked, missing, isPrefilled, error: begin.error ?? send.error, submit };
}

function useEscape(): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      // An input method uses Escape to cancel its composition.
      if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) window.close();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/** One line for a question to an agent, and its answer. It keeps nothing when it closes. */
export function QuickAsk() {
  const askable = useAskable();
  const { agents, members } = askable;
  const question = useQuestion(askable);
  const { text, asked, missing } = question;
  const area = useRef<HTMLTextAreaElement>(null);
  const room = { kind: 'channel', members } as const;
  const mentions = useMentions(room, text, question.type, area);
  useEscape();
  useEffect(() => {
    document.title = t('quickAsk.title');
    area.current?.focus();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the prefilled text needs a look
  useEffect(() => {
    const place = area.current;
    if (!question.isPrefilled || place === null) return;
    place.setSelectionRange(place.value.length, place.value.length);
    mentions.look(place);
  }, [question.isPrefilled]);
  return (
    <main className="quick-ask">
      <h1 className="visually-hidden">{t('quickAsk.title')}</h1>
      <Line question={question} mentions={mentions} area={area} />
      <MentionMenu mentions={mentions} />
      <ErrorNote error={question.error} />
      <AmbiguousNames room={room} text={text} />
      {missing !== '' && (
        <p className="composer-hint is-amber" role="status">
          {missing}
        </p>
      )}
      {asked === null ? (
        <p className="quick-ask-hint">
          {t(askable.isReady && agents.length === 0 ? 'quickAsk.noAgents' : 'quickAsk.keys')}
        </p>
      ) : (
        <Answer asked={asked} />
      )}
    </main>
  );
}

interface LineOf {
  readonly question: ReturnType<typeof useQuestion>;
  readonly mentions: Mentions;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

function Line({ question: { text, type, asked, submit }, mentions, area }: LineOf) {
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.key === 'Escape' || mentions.onKey(event)) return;
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void submit();
  };
  const name = visibleLine(asked?.agent.displayName ?? '');
  const label = asked === null ? t('quickAsk.question') : t('quickAsk.another', { name });
  return (
    <div className="quick-ask-line">
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={mentions.open ? mentions.id : undefined}
        aria-activedescendant={mentions.open ? `${mentions.id}-${mentions.at}` : undefined}
        value={text}
        onChange={(event) => {
          type(event.target.value.replaceAll('\n', ' '));
          mentions.look(event.target);
        }}
        onKeyDown={onKey}
      />
      <IconButton icon="close" label={t('quickAsk.close')} onPress={() => window.close()} />
    </div>
  );
}

function Answer({ asked: { agent, roomId, messageId } }: { asked: Asked }) {
  const { link } = useReplica();
  const paused = useAgents((all) => all?.[agent.id]?.life === 'paused');
  const name = visibleLine(agent.displayName);
  const openChat = (): void => {
    const route = `#/chat/${encodeURIComponent(roomId)}`;
    void link.call('desktop.show', { route }).then((shown) => {
      if (shown.ok) window.close();
      else go({ view: 'chat', room: roomId });
    });
  };
  return (
    <>
      {paused && (
        <Note tone="plain">
          <p>{t('quickAsk.paused', { name })}</p>
          <button
            type="button"
            className="link"
            onClick={() => void act(link, 'agents.resume', { agent: agent.id })}
          >
            {t('quickAsk.resume')}
          </button>
        </Note>
      )}
      <QuickAskExchange key={messageId} agent={agent} roomId={roomId} messageId={messageId} />
      <footer className="quick-ask-foot">
        <span className="quick-ask-hint">{t('quickAsk.keys')}</span>
        <span className="spacer" />
        <button type="button" className="link" onClick={openChat}>
          {t('quickAsk.openChat')}
        </button>
      </footer>
    </>
  );
}
