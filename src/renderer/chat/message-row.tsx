import { memo, type ReactNode } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { Attachments } from '../files/attachments.tsx';
import { Icon } from '../mark/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Name } from '../parts/name.tsx';
import { ClockTime } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { openInspector } from '../state/screen.ts';
import { useAgentBySlug, useReplica } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';
import { answeredBy } from './answered-by.ts';
import { AskedAs } from './asked-as.tsx';
import { Delivery } from './delivery.tsx';
import { Marks } from './marks.tsx';
import { useIsTarget } from './places.ts';
import { Steps } from './steps.tsx';

interface RowOf {
  readonly message: ChatMessage;
  /** The previous message has the same sender and is recent, so the name is omitted. */
  readonly follows: boolean;
  readonly inThread: boolean;
}

export const MessageRow = memo(function MessageRow({ message, follows, inThread }: RowOf) {
  const target = useIsTarget(message.id);
  return (
    <article
      className={`message${follows ? ' is-following' : ''}${target ? ' is-target' : ''}`}
      data-message={message.id}
      tabIndex={-1}
      aria-label={t('chat.messageFrom', { name: visibleLine(message.senderName) })}
    >
      <Gutter message={message} follows={follows} />
      <div className="message-main">
        {!follows && (
          <Byline slug={message.senderSlug} name={message.senderName} agent={message.senderAgent}>
            <ClockTime at={message.sentAt} />
          </Byline>
        )}
        <Steps steps={message.steps} />
        <Words message={message} />
        <Attachments message={message} />
        <Delivery message={message} />
        <Marks message={message} />
      </div>
      <RowActions message={message} inThread={inThread} />
    </article>
  );
});

/** Shows an approval message as its card. The text is a fallback for other clients. */
function Words({ message: { asks, text } }: { message: ChatMessage }) {
  const words = text === '' ? null : <Markdown text={text} />;
  return asks === null ? words : <AskedAs id={asks} otherwise={words} />;
}

function Gutter({ message, follows }: { message: ChatMessage; follows: boolean }) {
  return (
    <div className="message-gutter">
      {follows ? (
        <ClockTime at={message.sentAt} />
      ) : (
        <SpeakerAvatar name={message.senderName} slug={message.senderSlug} agent={message.senderAgent} />
      )}
    </div>
  );
}

interface BylineOf {
  readonly slug: string;
  readonly name: string;
  readonly agent: boolean;
  readonly children: ReactNode;
}

/** Sender line of a message; a scripted helper is always labelled as not being a model. */
export function Byline({ slug, name, agent, children }: BylineOf) {
  const own = useAgentBySlug(agent ? slug : null);
  return (
    <p className="byline">
      <strong title={`@${visibleLine(slug)}`}>
        <Name>{name}</Name>
      </strong>
      {agent && (
        <span
          className={`chip${own?.scripted ? ' is-scripted' : ''}`}
          title={own?.scripted ? t('chat.scriptedHint') : t('chat.anAgent')}
        >
          {own?.scripted ? t('chat.scripted') : t('chat.agent')}
        </span>
      )}
      <span className="byline-time">{children}</span>
    </p>
  );
}

function RowActions({ message, inThread }: { message: ChatMessage; inThread: boolean }) {
  return (
    <div className="row-actions">
      {!inThread && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('chat.reply')}
          title={t('chat.reply')}
          onClick={() => openInspector({ type: 'thread', rootId: message.threadRootId ?? message.id })}
        >
          <Icon name="thread" size={16} />
        </button>
      )}
      {message.senderAgent && message.asks === null && <AnswerAgain message={message} />}
      <CopyButton label={t('chat.copyText')} text={message.text} />
    </div>
  );
}

/** Asks an own agent for another answer to the message that it answered here; this answer stays. Not for a question card. */
function AnswerAgain({ message }: { message: ChatMessage }) {
  const { link, room } = useReplica();
  const agent = useAgentBySlug(message.senderSlug);
  if (agent === null) return null;
  const again = (): void => {
    const asked = answeredBy(room(message.roomId).store.getState().state?.messages ?? [], message, agent.id);
    if (asked !== null) void act(link, 'chat.answerAgain', { agent: agent.id, message: asked });
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('chat.answerAgain')}
      title={t('chat.answerAgain')}
      onClick={again}
    >
      <Icon name="loop" size={16} />
    </button>
  );
}
