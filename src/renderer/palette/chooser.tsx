import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { useReplica } from '../state/subscriptions.ts';
import type { PaletteCommand } from './commands.ts';
import { keyWords } from './shortcuts.ts';
import type { Group } from './use-entries.ts';

interface ChooserOf {
  readonly title: string;
  readonly label: string;
  readonly typed: string;
  /** The entries that match what is typed. */
  readonly groups: readonly Group[];
  onType(typed: string): void;
  onClose(): void;
  /** Shown below the list; replaces the message that nothing was found. */
  readonly children?: ReactNode;
}

/** Dialog with a field and the entries that match it: arrows choose one, Enter runs it. */
export function Chooser({ title, label, typed, groups, onType, onClose, children }: ChooserOf) {
  const replica = useReplica();
  const [at, setAt] = useState(0);
  const all = groups.flatMap(({ entries }) => entries);
  const current = all[Math.min(at, all.length - 1)];
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const run = (command: PaletteCommand | undefined): void => {
    if (command === undefined) return;
    onClose();
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
    <Dialog title={title} wide onClose={onClose}>
      <div className="search">
        <Icon name="search" size={16} />
        <input
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current === undefined ? undefined : `${id}-${all.indexOf(current)}`}
          aria-label={label}
          placeholder={label}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onKeyDown={onKey}
          onChange={(event) => {
            onType(event.target.value);
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
      {children ?? (all.length === 0 && <p className="soft">{t('palette.nothing')}</p>)}
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
          {entry.detail !== undefined && <bdi className="palette-detail">{entry.detail}</bdi>}
          {entry.keys !== undefined && <kbd>{keyWords(entry.keys)}</kbd>}
        </div>
      ))}
    </div>
  );
}
