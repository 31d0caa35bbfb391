/** How the person likes it to look; the only thing this page keeps in the browser's storage. */
import { create } from 'zustand';

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
export const densities = ['comfortable', 'compact'] as const;
export type Theme = (typeof themes)[number];
export type Density = (typeof densities)[number];

const key = 'kennel.look';
const pick = <T extends string>(all: readonly T[], value: unknown, otherwise: T): T =>
  all.find((one) => one === value) ?? otherwise;

function load(): { theme: Theme; density: Density } {
  let saved: { theme?: unknown; density?: unknown } = {};
  try {
    saved = JSON.parse(localStorage.getItem(key) ?? '{}') ?? {};
  } catch {
    // Storage switched off or torn: the defaults are fine.
  }
  return {
    theme: pick(themes, saved.theme, 'system'),
    density: pick(densities, saved.density, 'comfortable'),
  };
}

export const usePreferences = create<{ theme: Theme; density: Density }>(load);

export function setPreferences(change: { theme?: Theme; density?: Density }): void {
  usePreferences.setState(change);
}

function wear({ theme, density }: { theme: Theme; density: Density }): void {
  document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.density = density;
}

/** Puts the choice on the page now and on every change. */
export function followPreferences(): void {
  wear(usePreferences.getState());
  usePreferences.subscribe((look) => {
    wear(look);
    try {
      localStorage.setItem(key, JSON.stringify({ theme: look.theme, density: look.density }));
    } catch {
      // Not remembered then; it still holds for this visit.
    }
  });
}
