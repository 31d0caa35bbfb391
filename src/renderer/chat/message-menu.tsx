import type { MouseEvent } from 'react';
import { create } from 'zustand';
import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { AnchoredMenu, MenuGroup, MenuItem, MenuRow } from '../parts/menu.tsx';
import { act } from '../state/action.ts';
import { copyText } from '../state/copy.ts';
import { openInspector } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { useAnnotation } from './annotations.ts';
import { useAnswerAgain } from './answer-again.ts';
import { copyToComposer } from './edit-again.ts';
import { DeleteDialog, EmojiDialog } from './message-dialogs.tsx';

interface About {
  readonly message: ChatMessage;
  readonly inThread: boolean;
}

interface OpenMenu extends About {
  /** Row or button that gets the focus back. */
  readonly from: HTMLElement;
  /** Where a pointer opened the menu; otherwise it opens at `from`. */
  readonly point: DOMRect | null;
  readonly reactionsOnly: boolean;
}

interface MessageMenuState {
  readonly menu: OpenMenu | null;
  readonly dialog: (About & { readonly type: 'emoji' | 'delete' }) | null;
}

/** One menu for all rows, so that a row stays cheap. */
const useMessageMenu = create<MessageMenuState>(() => ({ menu: null, dialog: null }));

export const openMessageMenu = (
  about: About,
  from: HTMLElement,
  { point = null, reactionsOnly = false }: Partial<Pick<OpenMenu, 'point' | 'reactionsOnly'>> = {},
): void => useMessageMenu.setState({ menu: { ...about, from, point, reactionsOnly } });

const closeMenu = (): void => useMessageMenu.setState({ menu: null });

/** Opens at the pointer; links, pictures and selected text keep the menu of the system. */
export function openAtPointer(about: About, event: MouseEvent<HTMLElement>): void {
  const onContent = event.target instanceof Element && event.target.closest('a, img, input, textarea');
  if (onContent || window.getSelection()?.isCollapsed === false) return;
  event.preventDefault();
  openMessageMenu(about, event.currentTarget, { point: new DOMRect(event.clientX, event.clientY, 0, 0) });
}

/** Menu and dialogs of the message that a row opened them for. */
export function MessageMenu() {
  const { menu, dialog } = useMessageMenu();
  const close = (): void => useMessageMenu.setState({ dialog: null });
  return (
    <>
      {menu !== null && (
        <AnchoredMenu
          label={t('annotations.menu', { name: visibleLine(menu.message.senderName) })}
          anchor={menu.point === null ? menu.from : pointAnchor(menu.point)}
          back={menu.from}
          onClose={closeMenu}
        >
          <Reactions {...menu} />
          {!menu.reactionsOnly && <Others {...menu} />}
        </AnchoredMenu>
      )}
      {dialog?.type === 'emoji' && <EmojiDialog message={dialog.message} onClose={close} />}
      {dialog?.type === 'delete' && <DeleteDialog message={dialog.message} onClose={close} />}
    </>
  );
}

const pointAnchor = (point: DOMRect) => ({ getBoundingClientRect: () => point });

const quick = ['👍', '❤️', '😂', '🎉', '👀', '✅'];

/** Notes that stay on this computer: reactions, pin, deletion. */
function Reactions({ message, inThread, reactionsOnly }: OpenMenu) {
  const { link } = useReplica();
  const note = useAnnotation(message);
  const given = note?.reactions ?? [];
  const pinned = note !== null && note.pinnedAt !== null;
  return (
    <MenuGroup label={t('annotations.onlyHere')}>
      <MenuRow>
        {quick.map((emoji) => {
          const on = !given.includes(emoji);
          return (
            <MenuItem
              key={emoji}
              label={t(on ? 'annotations.react' : 'annotations.unreact', { emoji })}
              onPick={() => void act(link, 'chat.react', { message: message.id, emoji, on })}
            >
              {emoji}
            </MenuItem>
          );
        })}
      </MenuRow>
      <MenuItem onPick={() => useMessageMenu.setState({ dialog: { type: 'emoji', message, inThread } })}>
        {t('annotations.otherEmoji')}
      </MenuItem>
      {!reactionsOnly && (
        <>
          <MenuItem onPick={() => void act(link, 'chat.pin', { message: message.id, on: !pinned })}>
            {t(pinned ? 'annotations.unpin' : 'annotations.pin')}
          </MenuItem>
          <MenuItem
            danger
            onPick={() => useMessageMenu.setState({ dialog: { type: 'delete', message, inThread } })}
          >
            {t('annotations.delete')}
          </MenuItem>
        </>
      )}
    </MenuGroup>
  );
}

function Others({ message, inThread }: OpenMenu) {
  const again = useAnswerAgain(message);
  return (
    <MenuGroup label={t('annotations.message')}>
      {!inThread && (
        <MenuItem
          onPick={() => openInspector({ type: 'thread', rootId: message.threadRootId ?? message.id })}
        >
          {t('chat.reply')}
        </MenuItem>
      )}
      {again !== null && <MenuItem onPick={again}>{t('chat.answerAgain')}</MenuItem>}
      {message.own && message.text !== '' && (
        <MenuItem keepsFocus onPick={() => copyToComposer(message)}>
          {t('annotations.editAgain')}
        </MenuItem>
      )}
      <MenuItem onPick={() => copyText(message.text)}>{t('chat.copyText')}</MenuItem>
    </MenuGroup>
  );
}
