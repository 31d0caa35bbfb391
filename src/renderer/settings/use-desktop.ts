import { useEffect, useState } from 'react';
import type { DesktopSettings, DesktopView } from '../../contract/desktop-methods.ts';
import type { MethodInput } from '../../contract/methods.ts';
import { showError } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

export interface DesktopReplica {
  /** `none` if the page runs in a browser without the desktop app. */
  readonly state: 'reading' | 'none' | 'there';
  readonly view: DesktopView | null;
  set(change: MethodInput<'desktop.set'>): void;
}

/** Settings of the desktop app; a change shows at once and is reverted if the app rejects it. */
export function useDesktop(): DesktopReplica {
  const { link } = useReplica();
  const [view, setView] = useState<DesktopView | null>(null);
  const [none, setNone] = useState(false);
  useEffect(() => {
    void link.call('desktop.view', {}).then((result) => {
      if (result.ok) setView(result.value);
      else setNone(true);
    });
  }, [link]);
  const wear = (settings: DesktopSettings): void =>
    setView((old) => (old === null ? null : { ...old, settings }));
  const set = (change: MethodInput<'desktop.set'>): void => {
    if (view === null) return;
    const before = view.settings;
    wear({ ...before, ...change, notify: { ...before.notify, ...change.notify } } as DesktopSettings);
    void link.call('desktop.set', change).then((result) => {
      if (result.ok) return wear(result.value);
      wear(before);
      showError(result.error);
    });
  };
  return { state: view !== null ? 'there' : none ? 'none' : 'reading', view, set };
}
