/** Display preferences, stored in the browser's local storage. */
import { create } from 'zustand';
import { chooseLanguage, type Language } from '../../language/choose-language.ts';
import { setLanguage } from '../../language/texts.ts';

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
export const densities = ['comfortable', 'compact'] as const;
export const languageChoices = ['system', 'en', 'de'] as const satisfies readonly ('system' | Language)[];
/** Task view: columns, or one list. */
const taskViews = ['board', 'list'] as const;
export type Theme = (typeof themes)[number];
export type Density = (typeof densities)[number];
export type LanguageChoice = (typeof languageChoices)[number];

/** Orders and groups of each list; the first ones are the defaults. */
export const listChoices = {
  agents: { sort: ['name', 'state', 'activity', 'spend'], group: ['none', 'state', 'space'] },
  tasks: {
    sort: ['default', 'name', 'state', 'activity', 'spend'],
    group: ['none', 'state', 'agent', 'project'],
  },
  runs: { sort: ['default', 'name', 'state', 'activity', 'spend'], group: ['none', 'state', 'workflow'] },
  turns: { sort: ['default', 'name', 'state', 'took', 'spend'], group: ['none', 'state', 'agent', 'room'] },
} as const;
export type ListName = keyof typeof listChoices;
export type Arranged<List extends ListName> = {
  readonly [Part in 'sort' | 'group']: (typeof listChoices)[List][Part][number];
};
type Lists = { readonly [List in ListName]: Arranged<List> };

interface Preferences {
  readonly theme: Theme;
  readonly density: Density;
  readonly language: LanguageChoice;
  readonly tasks: (typeof taskViews)[number];
  readonly lists: Lists;
  /** Whether the list of rooms shows agents without a conversation; `null` shows them while they are few. */
  readonly othersOpen: boolean | null;
}

const key = 'kennel.look';
const pick = <T extends string>(all: readonly T[], value: unknown, otherwise: T): T =>
  all.find((one) => one === value) ?? otherwise;

type SavedArrangement = Partial<Record<'sort' | 'group', unknown>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function readLists(saved: unknown): Lists {
  const part = (list: ListName): SavedArrangement => {
    const found = isRecord(saved) ? saved[list] : null;
    return isRecord(found) ? found : {};
  };
  const read = <Sort extends string, Group extends string>(
    {
      sort,
      group,
    }: { readonly sort: readonly [Sort, ...Sort[]]; readonly group: readonly [Group, ...Group[]] },
    from: SavedArrangement,
  ) => ({ sort: pick(sort, from.sort, sort[0]), group: pick(group, from.group, group[0]) });
  return {
    agents: read(listChoices.agents, part('agents')),
    tasks: read(listChoices.tasks, part('tasks')),
    runs: read(listChoices.runs, part('runs')),
    turns: read(listChoices.turns, part('turns')),
  };
}

function load(): Preferences {
  let saved: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    saved = JSON.parse(localStorage.getItem(key) ?? '{}') ?? {};
  } catch {
    // Storage that is disabled or holds invalid JSON falls back to the defaults.
  }
  return {
    theme: pick(themes, saved.theme, 'system'),
    density: pick(densities, saved.density, 'comfortable'),
    language: pick(languageChoices, saved.language, 'system'),
    tasks: pick(taskViews, saved.tasks, 'board'),
    lists: readLists(saved.lists),
    othersOpen: typeof saved.othersOpen === 'boolean' ? saved.othersOpen : null,
  };
}

export const usePreferences = create<Preferences>(load);

/** Language of the loaded texts; a change renders the page again. */
export const useSpoken = create<{ language: Language }>(() => ({ language: 'en' }));

export function setPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
}

/** Keeps the order or the groups of one list. */
export function setArrangement(list: ListName, change: Partial<Record<'sort' | 'group', string>>): void {
  const { lists } = usePreferences.getState();
  setPreferences({ lists: readLists({ ...lists, [list]: { ...lists[list], ...change } }) });
}

function wear({ theme, density }: Preferences): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.density = density;
}

async function speak({ language: choice }: Preferences): Promise<void> {
  const language = choice === 'system' ? chooseLanguage(navigator.languages) : choice;
  await setLanguage(language);
  document.documentElement.lang = language;
  useSpoken.setState({ language });
}

/** Applies the preferences now and on every change; resolves when the texts are loaded. */
export function followPreferences(): Promise<void> {
  const now = usePreferences.getState();
  wear(now);
  usePreferences.subscribe((look) => {
    wear(look);
    void speak(look);
    try {
      localStorage.setItem(key, JSON.stringify(look));
    } catch {
      // The change is not saved, but applies until the page is closed.
    }
  });
  return speak(now);
}
