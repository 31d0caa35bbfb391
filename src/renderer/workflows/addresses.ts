/** Addresses of a workflow file and a run: `#/work/workflow:<file>`, `#/work/run:<id>`. */
import { go } from '../state/route.ts';

const filePrefix = 'workflow:';
const runPrefix = 'run:';

export type Address = { readonly file: string } | { readonly run: string };

export const addressOf = (place: string): Address =>
  place.startsWith(runPrefix)
    ? { run: place.slice(runPrefix.length) }
    : { file: place.slice(filePrefix.length) };

export const goToFile = (path: string): void => go({ view: 'work', place: filePrefix + path });
export const goToRun = (id: string): void => go({ view: 'work', place: runPrefix + id });
export const goToWorkflows = (): void => go({ view: 'work', place: 'workflows' });

/** Last part of a path, with `/` or `\` as separator. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
