import { Tabs as Parts } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface TabsOf<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly tabs: readonly (readonly [T, string])[];
  readonly children: ReactNode;
  onChange(value: T): void;
}

/** Tabs that activate on arrow keys; only the selected panel is rendered. */
export function Tabs<T extends string>({ label, value, tabs, children, onChange }: TabsOf<T>) {
  const choose = (chosen: unknown): void => {
    const tab = tabs.find(([key]) => key === chosen);
    if (tab !== undefined) onChange(tab[0]);
  };
  return (
    <Parts.Root value={value} onValueChange={choose} className="tabs-place">
      <Parts.List className="tabs" aria-label={label} activateOnFocus>
        {tabs.map(([key, words]) => (
          <Parts.Tab key={key} value={key}>
            {words}
          </Parts.Tab>
        ))}
      </Parts.List>
      <Parts.Panel key={value} value={value} className="tab-panel">
        {children}
      </Parts.Panel>
    </Parts.Root>
  );
}
