import { useMakingReal } from '../first-run/make-real-state.ts';
import { usePalette } from '../palette/palette-state.ts';
import { useSearch } from '../search/search-state.ts';
import { useSpaceDialog } from '../spaces/open-dialog.ts';
import { askNewAgent, useScreen } from '../state/screen.ts';
import { CreateAgent, MakeReal, Palette, SearchDialog, SpaceDialogs } from './views.ts';

/** Dialogs that any page can open. */
export function Dialogs() {
  const ofSpace = useSpaceDialog(({ dialog }) => dialog !== null);
  const searching = useSearch(({ open }) => open);
  const makingReal = useMakingReal(({ agent }) => agent !== null);
  const keys = usePalette(({ shown }) => shown !== null);
  const creating = useScreen((screen) => screen.creating);
  return (
    <>
      {ofSpace && <SpaceDialogs />}
      {searching && <SearchDialog />}
      {makingReal && <MakeReal />}
      {keys && <Palette />}
      {creating && <CreateAgent onClose={() => askNewAgent(false)} />}
    </>
  );
}
