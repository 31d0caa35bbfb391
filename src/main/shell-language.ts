/** The shell speaks what the person chose in the window, else what the system speaks. */
import type { ShellLanguage } from '../contract/desktop-methods.ts';
import { chooseLanguage, setLanguage } from '../language/texts.ts';

/** `system`: its languages, the dearest first. */
export const speakShell = (choice: ShellLanguage, system: readonly string[]): Promise<void> =>
  setLanguage(choice === 'system' ? chooseLanguage(system) : choice);
