/** Delays quitting while agents work: a small window counts down, with buttons to quit now or stay. */
import { t } from '../language/texts.ts';
import type { ShellPage } from './shell-pages.ts';
import { openShellWindow, type ShellWindow } from './shell-window.ts';

export const quitPath = '/quit';
const longestMs = 30_000;
const lookMs = 200;

export interface QuitWait {
  page(): ShellPage;
  /** Resolves to true to quit, or false to stay. */
  run(icon: string): Promise<boolean>;
  focus(): void;
}

/** `working` returns the number of agents and runs that are active now. */
export function createQuitWait(working: () => number): QuitWait {
  let until = 0;
  let shown = 0;
  let window: ShellWindow | null = null;

  const secondsLeft = (): number => Math.max(0, Math.ceil((until - Date.now()) / 1000));

  return {
    page: () => ({
      title: t('shell.quitTitle'),
      lines: [t('shell.quitWorking', { count: shown }), t('shell.quitRest')],
      countdown: secondsLeft(),
      buttons: [
        { action: 'quit-now', label: t('shell.quitNow'), main: true },
        { action: 'stay', label: t('shell.stay') },
      ],
    }),
    run(icon) {
      if (working() === 0) return Promise.resolve(true);
      until = Date.now() + longestMs;
      shown = working();
      return new Promise((resolve) => {
        const end = (quit: boolean): void => {
          clearInterval(look);
          window?.close();
          window = null;
          resolve(quit);
        };
        const look = setInterval(() => {
          const now = working();
          if (now === 0 || Date.now() >= until) return end(true);
          if (now === shown) return;
          shown = now;
          window?.reload();
        }, lookMs);
        window = openShellWindow({
          path: quitPath,
          icon,
          size: { width: 500, height: 300 },
          onAction: (action) => {
            if (action === 'quit-now') end(true);
            if (action === 'stay') end(false);
          },
          // Closing the window only hides the countdown; quitting continues.
          onClosed: () => {
            window = null;
          },
        });
      });
    },
    focus: () => window?.focus(),
  };
}
