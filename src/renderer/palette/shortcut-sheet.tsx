import { t } from '../../language/texts.ts';
import { Dialog } from '../parts/dialog.tsx';
import { showPalette } from './palette-state.ts';
import { keyWords, type ShortcutId, shortcuts } from './shortcuts.ts';

const ids = Object.keys(shortcuts) as ShortcutId[];

/** Keys that apply only in one part of the window; the sheet names that part. */
const nearby = ['send', 'newLine', 'walk', 'select', 'mention', 'back', 'focus'] as const;
const nearbyKeys: Readonly<Record<(typeof nearby)[number], string>> = {
  send: 'Enter',
  newLine: 'Shift+Enter',
  walk: '↑ ↓',
  select: 'x',
  mention: '@',
  back: 'Esc',
  focus: 'Tab',
};

/** List of all shortcuts, opened with `?`. */
export function ShortcutSheet() {
  return (
    <Dialog title={t('palette.sheet')} wide onClose={() => showPalette(null)}>
      <div className="shortcut-sheet">
        <section aria-labelledby="keys-anywhere">
          <h3 id="keys-anywhere">{t('palette.anywhere')}</h3>
          <dl>
            {ids.map((id) => (
              <Row
                key={id}
                keys={keyWords(id)}
                words={id === 'palette' ? t('palette.title') : t(`palette.${id}`)}
              />
            ))}
          </dl>
        </section>
        <section aria-labelledby="keys-nearby">
          <h3 id="keys-nearby">{t('palette.nearby')}</h3>
          <dl>
            {nearby.map((id) => (
              <Row key={id} keys={nearbyKeys[id]} words={t(`palette.key_${id}`)} />
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

function Row({ keys, words }: { keys: string; words: string }) {
  return (
    <div>
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{words}</dd>
    </div>
  );
}
