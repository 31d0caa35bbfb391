/** The shortcut that opens the quick ask from any program. */
import { textError } from '../contract/errors.ts';
import { err, ok, type Result } from '../contract/result.ts';
import { t } from '../language/texts.ts';

/** The used part of Electron's `globalShortcut`. */
export interface ShortcutRegistry {
  /** Returns false if another program uses the keys; may throw on keys that the system does not know. */
  register(accelerator: string, onPressed: () => void): boolean;
  unregister(accelerator: string): void;
}

export interface AskShortcut {
  /** Empty for none. If the keys are taken, the previous shortcut stays. */
  set(accelerator: string): Result<void>;
  /** True if the shortcut of the last `set` has no effect. */
  isTaken(): boolean;
  stop(): void;
}

export function createAskShortcut(registry: ShortcutRegistry, onPressed: () => void): AskShortcut {
  let active = '';
  let isTaken = false;

  function registers(accelerator: string): boolean {
    try {
      return registry.register(accelerator, onPressed);
    } catch {
      return false;
    }
  }

  function stop(): void {
    if (active !== '') registry.unregister(active);
    active = '';
  }

  return {
    set(accelerator) {
      if (accelerator !== active || accelerator === '') {
        if (accelerator !== '' && !registers(accelerator)) {
          // A shortcut that worked before still does.
          isTaken = active === '';
          return err(textError('conflict', t('shell.shortcutTaken'), { hint: t('shell.shortcutTakenHint') }));
        }
        stop();
        active = accelerator;
      }
      isTaken = false;
      return ok(undefined);
    },
    isTaken: () => isTaken,
    stop,
  };
}
