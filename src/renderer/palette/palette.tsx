import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useReplica } from '../state/subscriptions.ts';
import type { PaletteCommand } from './commands.ts';
import { showPalette, usePalette } from './palette-state.ts';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { keyWords } from './shortcuts.ts';
import { type Group, useEntries } from './use-entries.ts';

/** Command palette (Ctrl+K): every page, room, agent and command by name. */
export function Palette() {
  const shown = usePalette((state) => state.shown);
  if (shown === 'sheet') return <ShortcutSheet />;
  return shown === 'palette' ? <OpenPalette /> : null;
}

const close = (): void => showPalette(null);

function OpenPalette() {
  const replica = useReplica();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const groups = useEntries(typed);
  const all = groups.flatMap(({ entries }) => entries);
  const current = all[Math.min(at, all.length - 1)];
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const run = (command: PaletteCommand | undefined): void => {
    if (command === undefined) return;
    close();
    command.run(replica);
  };
  const onKey = (event: KeyboardEvent): void => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (event.key === 'Enter') {
      event.preventDefault();
      run(current);
    }
    if (next === undefined || all.length === 0) return;
    event.preventDefault();
    setAt((next + all.length) % all.length);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is chosen now stays in sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, typed]);
  return (
    <Dialog title={t('palette.title')} wide onClose={close}>
      <div className="search">
        <Icon name="search" size={16} />
        <input
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current === undefined ? undefined : `${id}-${all.indexOf(current)}`}
          aria-label={t('palette.label')}
          placeholder={t('palette.label')}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onKeyDown={onKey}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
        />
      </div>
      <p className="visually-hidden" role="status">
        {t('palette.count', { count: all.length })}
      </p>
      <div className="palette" role="listbox" id={`${id}-list`} aria-label={t('palette.found')} ref={list}>
        {groups.map((group) => (
          <GroupOf key={group.title} group={group} all={all} current={current} id={id} onRun={run} />
        ))}
      </div>
      {all.length === 0 && <p className="soft">{t('palette.nothing')}</p>}
    </Dialog>
  );
}

interface GroupProps {
  readonly group: Group;
  readonly all: readonly PaletteCommand[];
  readonly current: PaletteCommand | undefined;
  readonly id: string;
  onRun(command: PaletteCommand): void;
}

function GroupOf({ group, all, current, id, onRun }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox
    <div role="group" aria-label={group.title}>
      <p className="palette-group" aria-hidden="true">
        {group.title}
      </p>
      {group.entries.map((entry) => (
        // The box one types in keeps the focus and says which of these is chosen.
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <div
          key={entry.id}
          role="option"
          id={`${id}-${all.indexOf(entry)}`}
          aria-selected={entry === current}
          aria-keyshortcuts={entry.keys === undefined ? undefined : keyWords(entry.keys)}
          className="palette-entry"
          onClick={() => onRun(entry)}
        >
          <Icon name={entry.icon} size={16} />
          <bdi className="palette-title">{entry.title}</bdi>
          {entry.keys !== undefined && <kbd>{keyWords(entry.keys)}</kbd>}
        </div>
      ))}
    </div>
  );
}
