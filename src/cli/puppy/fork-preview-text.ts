import type { RunAgain } from '../../contract/workflow-methods.ts';
import { englishText } from '../../language/host-message.ts';
import type { Places } from '../../library/puppy/standalone.ts';
import { columnsText, type SafeText } from '../table.ts';
import { printable, visibleTerminalLine } from '../visible-text.ts';

// Steps from which a run can restart, as text.

function pathsText({ paths, all }: RunAgain['once'], shown: number): string {
  const told = paths.slice(0, shown).map(visibleTerminalLine).join(', ');
  return all > shown ? `${told} and ${all - shown} more` : told;
}

/** Entries per list in a column. */
const inColumn = 4;

export function placesText({ places, more }: Places, run: string): readonly (string | SafeText)[] {
  if (places.length === 0) return [`No step of this run has begun. The same once more: puppy again ${run}`];
  const can = places.filter(({ refusal }) => refusal === '');
  const not = places.filter(({ refusal }) => refusal !== '');
  const rows = can.map(({ from, asked, once }) => [
    visibleTerminalLine(from),
    pathsText(once, inColumn) || '-',
    pathsText(asked, inColumn) || '-',
  ]);
  const refusals = not.map(
    ({ from, refusal, nearest }) =>
      `${visibleTerminalLine(from)}: ${visibleTerminalLine(englishText(refusal))}${nearest === '' ? '' : ` Nearest: ${visibleTerminalLine(nearest)}`}`,
  );
  return [
    columnsText(['FROM', 'RUNS AGAIN ALTHOUGH ONCE', 'ASKS AGAIN'], rows),
    ...(refusals.length === 0 ? [] : ['', 'Not from:', ...refusals]),
    ...(more === 0 ? [] : ['', `${more} more steps: name one by its path, as "puppy show" lists them.`]),
    '',
    `Begin: puppy retry ${run} --from STEP`,
  ];
}

/** Printed before the restart; empty if no `once` step repeats. */
export function secondTimeText({ places: [place] }: Places): string {
  if (!place || place.once.all === 0) return '';
  return printable(`Done again, though it must happen only once: ${pathsText(place.once, 10)}\n`);
}
