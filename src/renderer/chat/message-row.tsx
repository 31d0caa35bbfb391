import { memo, type ReactNode, useState } from 'react';
import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { SpeakerAvatar } from '../agents/agent-avatar.tsx';
import { Attachments } from '../files/attachments.tsx';
import { visibleLine } from '../format/visible-text.ts';
import { Icon, type IconName } from '../mark/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Name } from '../parts/name.tsx';
import { ClockTime } from '../parts/time.tsx';
import { openInspector } from '../state/screen.ts';
import { AgentChip } from './agent-chip.tsx';
import { useAnnotation } from './annotations.ts';
import { useAnswerAgain } from './answer-again.ts';
import { Delivery } from './delivery.tsx';
import { Marks } from './marks.tsx';
import { AskedAs } from './message-approval.tsx';
import { openAtPointer, openMessageMenu } from './message-menu.tsx';
import { MessageNotes } from './message-notes.tsx';
import { useIsTarget } from './scroll-targets.ts';
import { Steps } from './steps.tsx';

interface RowOf {
  readonly message: ChatMessage;
  /** The previous message has the same sender and is recent, so the name is omitted. */
  readonly follows: boolean;
  readonly inThread: boolean;
}

export const MessageRow = memo(function MessageRow({ message, follows, inThread }: RowOf) {
  const target = useIsTarget(message.id);
  const note = useAnnotation(message);
  const deleted = note?.deleted === true;
  const about = { message, inThread };
  const [wasReached, setReached] = useState(false);
  return (
    <article
      className={`message${follows ? ' is-following' : ''}${target ? ' is-target' : ''}`}
      data-message={message.id}
      tabIndex={-1}
      onPointerMove={() => setReached(true)}
      onFocus={() => setReached(true)}
      onContextMenu={(event) => deleted || openAtPointer(about, event)}
      onKeyDown={(event) => {
        if (deleted || event.key !== 'Enter' || event.target !== event.currentTarget) return;
        event.preventDefault();
        openMessageMenu(about, event.currentTarget);
      }}
      aria-label={t('chat.messageFrom', { name: visibleLine(message.senderName) })}
    >
      <Gutter message={message} follows={follows} />
      <div className="message-main">
        {!follows && (
          <Byline slug={message.senderSlug} name={message.senderName} agent={message.senderAgent}>
            <ClockTime at={message.sentAt} />
          </Byline>
        )}
        {deleted ? (
          <p className="soft">{t('annotations.deleted')}</p>
        ) : (
          <>
            <Steps steps={message.steps} />
            <Words message={message} />
            <Attachments message={message} />
            <Delivery message={message} />
            <Marks message={message} />
            {note !== null && <MessageNotes message={message} note={note} />}
          </>
        )}
      </div>
      {!deleted && <RowActions message={message} inThread={inThread} isWhole={wasReached} />}
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
  return (
    <p className="byline">
      <strong title={`@${visibleLine(slug)}`}>
        <Name>{name}</Name>
      </strong>
      {agent && <AgentChip slug={slug} />}
      <span className="byline-time">{children}</span>
    </p>
  );
}

interface ActionsOf {
  readonly message: ChatMessage;
  readonly inThread: boolean;
  /** The pointer or the focus has been on the row. */
  readonly isWhole: boolean;
}

/** The bar of a row: its menu, and further buttons once the row was reached, because most rows never show their bar. */
function RowActions({ message, inThread, isWhole }: ActionsOf) {
  const about = { message, inThread };
  return (
    <div className="row-actions">
      {isWhole && <QuickActions message={message} inThread={inThread} />}
      <RowButton
        label={t('annotations.more')}
        icon="more"
        hasMenu
        onPick={(button) => openMessageMenu(about, button)}
      />
    </div>
  );
}

function QuickActions({ message, inThread }: { message: ChatMessage; inThread: boolean }) {
  const again = useAnswerAgain(message);
  return (
    <>
      <RowButton
        label={t('annotations.addReaction')}
        icon="smile"
        hasMenu
        onPick={(button) => openMessageMenu({ message, inThread }, button, { reactionsOnly: true })}
      />
      {!inThread && (
        <RowButton
          label={t('chat.reply')}
          icon="thread"
          onPick={() => openInspector({ type: 'thread', rootId: message.threadRootId ?? message.id })}
        />
      )}
      {again !== null && <RowButton label={t('chat.answerAgain')} icon="loop" onPick={again} />}
      <CopyButton label={t('chat.copyText')} text={message.text} />
    </>
  );
}

interface RowButtonOf {
  readonly label: string;
  readonly icon: IconName;
  readonly hasMenu?: boolean;
  onPick(button: HTMLElement): void;
}

function RowButton({ label, icon, hasMenu = false, onPick }: RowButtonOf) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      aria-haspopup={hasMenu ? 'menu' : undefined}
      title={label}
      onClick={(event) => onPick(event.currentTarget)}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
