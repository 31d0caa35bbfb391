import type { UndoFileView } from '../../contract/undo-methods.ts';
import { copy } from '../copy.ts';
import { visibleExactLine, visibleTerminalLine } from '../visible-text.ts';

const indented = (diff: string): string[] => diff.split('\n').map((line) => `    ${visibleExactLine(line)}`);

/** A changed file with its diff. */
export function changeLines({ path, kind, change, state, diff, since, cut }: UndoFileView): string[] {
  const did = copy(`cliUndo.change_${change}`);
  const head = `${did} ${kind === 'file' ? '' : `${kind} `}${visibleTerminalLine(path)}`;
  return [
    copy(`cliUndo.state_${state}`, { head }),
    ...(diff === '' ? [] : indented(diff)),
    ...(since === '' ? [] : [`  ${copy('cliUndo.changedSince')}`, ...indented(since)]),
    ...(cut ? [`    ${copy('cliUndo.cut')}`] : []),
  ];
}
