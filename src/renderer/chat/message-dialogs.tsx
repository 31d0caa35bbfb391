import { useState } from 'react';
import { toEmoji } from '../../contract/emoji.ts';
import type { ChatMessage } from '../../contract/model.ts';
import { t } from '../../language/texts.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { FormFoot } from '../parts/form-foot.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';

interface DialogOf {
  readonly message: ChatMessage;
  onClose(): void;
}

export function EmojiDialog({ message, onClose }: DialogOf) {
  const react = useAction('chat.react');
  const [typed, setTyped] = useState('');
  const emoji = toEmoji(typed);
  const submit = async (): Promise<void> => {
    if (emoji !== null && (await react.run({ message: message.id, emoji })).ok) onClose();
  };
  return (
    <Dialog title={t('annotations.addReaction')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label={t('annotations.emoji')}
          hint={t('annotations.emojiHint')}
          value={typed}
          maxLength={40}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        <FormFoot
          action={react}
          label={t('annotations.addReaction')}
          disabled={emoji === null}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

export function DeleteDialog({ message, onClose }: DialogOf) {
  const remove = useAction('chat.delete');
  return (
    <Confirm
      title={t('annotations.deleteTitle')}
      verb={t('annotations.deleteHere')}
      danger
      busy={remove.busy}
      onClose={onClose}
      onConfirm={() => void remove.run({ message: message.id }).then(({ ok }) => ok && onClose())}
    >
      <p>{t('annotations.deleteHappens')}</p>
      <ErrorNote error={remove.error} />
    </Confirm>
  );
}
