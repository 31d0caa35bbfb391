import { useEffect } from 'react';
import { type PaletteCommand, paletteActions, places } from '../palette/commands.ts';
import { showPalette } from '../palette/palette-state.ts';
import { answers, type ShortcutId, shortcuts } from '../palette/shortcuts.ts';
import { openInspector, showServerView, useScreen } from '../state/screen.ts';
import { type Replica, useReplica } from '../state/subscriptions.ts';
import { knowRooms, openView } from './open-view.ts';

const ids = Object.keys(shortcuts) as ShortcutId[];

/**
 * Returns the command of a shortcut, or `null` if it does not apply and the browser should handle the key.
 */
function commandOf(id: ShortcutId, replica: Replica): Pick<PaletteCommand, 'run'> | null {
  if (id === 'palette') return { run: () => showPalette('palette') };
  return [...places(openView), ...paletteActions(replica)].find((one) => one.keys === id) ?? null;
}

/** Escape closes side panes; all other keys are in the table of shortcuts. */
export function useFrameKeys(): void {
  const replica = useReplica();
  useEffect(() => {
    knowRooms(() => Object.keys(replica.rooms.store.getState().state?.rooms ?? {}));
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) stepBack();
      // An open dialog handles its own keys.
      if (document.querySelector('.dialog') !== null) return;
      const id = ids.find((one) => answers(shortcuts[one], event));
      const command = id === undefined ? null : commandOf(id, replica);
      if (command === null) return;
      event.preventDefault();
      command.run(replica);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [replica]);
}

function stepBack(): void {
  const { inspector, serverView } = useScreen.getState();
  if (inspector !== null) openInspector(null);
  else if (serverView) showServerView(false);
}
