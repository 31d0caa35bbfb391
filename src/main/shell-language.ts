/** Sets the language of tray, menu and dialogs: the one chosen in the window, else the system's. */
import type { ShellLanguage } from '../contract/desktop-methods.ts';
import { chooseLanguage } from '../language/choose-language.ts';
import { setLanguage } from '../language/texts.ts';

/** `system` lists the system's languages, most preferred first. */
export const speakShell = (choice: ShellLanguage, system: readonly string[]): Promise<void> =>
  setLanguage(choice === 'system' ? chooseLanguage(system) : choice);
