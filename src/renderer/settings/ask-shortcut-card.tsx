import { type KeyboardEvent, useState } from 'react';
import { isShortcut } from '../../contract/desktop-methods.ts';
import { t } from '../../language/texts.ts';
import { Note } from '../parts/notes.tsx';
import { isMac, keysText, pressedShortcut } from './pressed-shortcut.ts';

interface ShortcutOf {
  /** Accelerator of Electron; empty for none. */
  readonly shortcut: string;
  /** Another program uses it. */
  readonly isTaken: boolean;
  onChange(shortcut: string): void;
}

/** The shortcut of the quick ask: pressed rather than typed. */
export function AskShortcutCard({ shortcut, isTaken, onChange }: ShortcutOf) {
  const [recording, setRecording] = useState(false);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!recording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const pressed = pressedShortcut(event.nativeEvent);
    const chosen = isShortcut(pressed);
    if (chosen || event.key === 'Escape') setRecording(false);
    if (chosen) onChange(pressed);
  };
  return (
    <section className="card stack" aria-labelledby="quick-ask-title">
      <h2 id="quick-ask-title">{t('quickAsk.title')}</h2>
      <p className="soft">{t('settings.quickAskText')}</p>
      <div className="setting">
        <span>
          {t('settings.askShortcut')}:{' '}
          <kbd>{shortcut === '' ? t('settings.noShortcut') : keysText(shortcut)}</kbd>
        </span>
        <span className="button-row">
          <button
            type="button"
            className="button"
            aria-pressed={recording}
            onClick={() => setRecording(!recording)}
            onBlur={() => setRecording(false)}
            onKeyDown={onKeyDown}
          >
            {t(recording ? 'settings.pressKeys' : 'settings.setShortcut')}
          </button>
          {shortcut !== '' && (
            <button type="button" className="button" onClick={() => onChange('')}>
              {t('settings.removeShortcut')}
            </button>
          )}
        </span>
      </div>
      {recording && (
        <p className="field-hint" role="status">
          {t(isMac() ? 'settings.pressKeysHintMac' : 'settings.pressKeysHint')}
        </p>
      )}
      {isTaken && shortcut !== '' && (
        <Note tone="warning">
          <p>{t('settings.shortcutTaken', { keys: keysText(shortcut) })}</p>
        </Note>
      )}
    </section>
  );
}
