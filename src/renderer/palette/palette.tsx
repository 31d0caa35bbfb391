import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { Chooser } from './chooser.tsx';
import { showPalette, usePalette } from './palette-state.ts';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { useEntries } from './use-entries.ts';

/** Command palette (Ctrl+K): every page, room, agent and command by name. */
export function Palette() {
  const shown = usePalette((state) => state.shown);
  if (shown === 'sheet') return <ShortcutSheet />;
  return shown === 'palette' ? <OpenPalette /> : null;
}

function OpenPalette() {
  const [typed, setTyped] = useState('');
  return (
    <Chooser
      title={t('palette.title')}
      label={t('palette.label')}
      typed={typed}
      groups={useEntries(typed)}
      onType={setTyped}
      onClose={() => showPalette(null)}
    />
  );
}
