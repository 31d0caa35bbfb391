import type { ChatMessage } from '../../contract/model.ts';
import { dmSlug } from '../../contract/room-id.ts';
import { t } from '../../language/texts.ts';
import { keepUnsent, openInspector, showNotice, useScreen, writingPlace } from '../state/screen.ts';

/** Puffo has no edits, so the text goes into the composer as a new message; unsent text stays before it. */
export function copyToComposer(message: ChatMessage): void {
  const root = dmSlug(message.roomId) === null ? message.threadRootId : null;
  const key = writingPlace(message.roomId, root);
  const before = (useScreen.getState().unsent[key] ?? '').trimEnd();
  keepUnsent(key, before === '' ? message.text : `${before}\n${message.text}`);
  if (root !== null) openInspector({ type: 'thread', rootId: root });
  showNotice(t('annotations.editAgainNote'));
  const area = root === null ? '.chat-main textarea' : '.inspector textarea';
  // The composer of a thread that was closed takes the focus when it appears.
  requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>(area)?.focus());
}
