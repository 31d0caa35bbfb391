/** Parses the addresses of the work page: `#/work/task:12`, `#/work/turns`, or the id of a turn. */

export const workTabs = ['tasks', 'schedules', 'workflows', 'activity'] as const;
export type WorkTab = (typeof workTabs)[number];

/** Parts of the activity tab; each has its own address. */
export const activityParts = ['turns', 'log', 'processes', 'diagnostics'] as const;
export type ActivityPart = (typeof activityParts)[number];

export type WorkPlace =
  | { readonly kind: 'tab'; readonly tab: Exclude<WorkTab, 'activity'> }
  | { readonly kind: 'activity'; readonly part: ActivityPart }
  | { readonly kind: 'task'; readonly task: number }
  /** Addresses of the workflow pages: `workflow:<file>`, `run:<id>`. */
  | { readonly kind: 'workflow'; readonly place: string }
  | { readonly kind: 'turn'; readonly turn: string };

export function workPlace(place: string | null): WorkPlace {
  if (place === null) return { kind: 'tab', tab: 'tasks' };
  const tab = workTabs.find((one) => one === place);
  if (tab === 'activity') return { kind: 'activity', part: 'turns' };
  if (tab !== undefined) return { kind: 'tab', tab };
  const part = activityParts.find((one) => one === place);
  if (part !== undefined) return { kind: 'activity', part };
  const task = /^task:([1-9]\d{0,14})$/.exec(place)?.[1];
  if (task !== undefined) return { kind: 'task', task: Number(task) };
  if (/^(workflow|run):./.test(place)) return { kind: 'workflow', place };
  return { kind: 'turn', turn: place };
}

/** The first tab has the address without a suffix. */
export const tabPlace = (tab: WorkTab): string | null => (tab === 'tasks' ? null : tab);
export const taskPlace = (task: number): string => `task:${task}`;
