/** Display preferences, stored in the browser's local storage. */
import { create } from 'zustand';
import { chooseLanguage, type Language, setLanguage } from '../../language/texts.ts';

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
export const densities = ['comfortable', 'compact'] as const;
export const languageChoices = ['system', 'en', 'de'] as const satisfies readonly ('system' | Language)[];
/** Task view: columns, or one list. */
const taskViews = ['board', 'list'] as const;
export type Theme = (typeof themes)[number];
export type Density = (typeof densities)[number];
export type LanguageChoice = (typeof languageChoices)[number];

interface Preferences {
  readonly theme: Theme;
  readonly density: Density;
  readonly language: LanguageChoice;
  readonly tasks: (typeof taskViews)[number];
}

const key = 'kennel.look';
const pick = <T extends string>(all: readonly T[], value: unknown, otherwise: T): T =>
  all.find((one) => one === value) ?? otherwise;

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
  };
}

export const usePreferences = create<Preferences>(load);

/** Language of the loaded texts; a change renders the page again. */
export const useSpoken = create<{ language: Language }>(() => ({ language: 'en' }));

export function setPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
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
