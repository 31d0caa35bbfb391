import type { RunAgain } from '../../contract/workflow-methods.ts';
import type { Places } from '../../library/puppy/standalone.ts';
import { copy, shown } from '../copy.ts';
import { columnsText, type SafeText } from '../table.ts';
import { printable, visibleTerminalLine } from '../visible-text.ts';

// Steps from which a run can restart, as text.

function pathsText({ paths, all }: RunAgain['once'], most: number): string {
  const told = paths.slice(0, most).map(visibleTerminalLine).join(', ');
  return all > most ? copy('cliPuppy.andMore', { paths: told, count: all - most }) : told;
}

/** Entries per list in a column. */
const inColumn = 4;

export function placesText({ places, more }: Places, run: string): readonly (string | SafeText)[] {
  if (places.length === 0) return [copy('cliPuppy.noStepBegan', { run })];
  const can = places.filter(({ refusal }) => refusal === '');
  const not = places.filter(({ refusal }) => refusal !== '');
  const rows = can.map(({ from, asked, once }) => [
    visibleTerminalLine(from),
    pathsText(once, inColumn) || '-',
    pathsText(asked, inColumn) || '-',
  ]);
  const refusals = not.map(({ from, refusal, nearest }) => {
    const [step, why] = [visibleTerminalLine(from), visibleTerminalLine(shown(refusal))];
    if (nearest === '') return `${step}: ${why}`;
    return copy('cliPuppy.nearest', { step, why, nearest: visibleTerminalLine(nearest) });
  });
  return [
    columnsText([copy('cliPuppy.headFrom'), copy('cliPuppy.headOnce'), copy('cliPuppy.headAsks')], rows),
    ...(refusals.length === 0 ? [] : ['', copy('cliPuppy.notFrom'), ...refusals]),
    ...(more === 0 ? [] : ['', copy('cliPuppy.moreSteps', { count: more })]),
    '',
    copy('cliPuppy.begin', { run }),
  ];
}

/** Printed before the restart; empty if no `once` step repeats. */
export function secondTimeText({ places: [place] }: Places): string {
  if (!place || place.once.all === 0) return '';
  return printable(`${copy('cliPuppy.doneAgain', { paths: pathsText(place.once, 10) })}\n`);
}
