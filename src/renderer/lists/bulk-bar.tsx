import { useEffect, useRef, useState } from 'react';
import { localizeError, t } from '../../language/texts.ts';
import { Icon } from '../mark/icon.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import type { ListName } from '../state/preferences.ts';
import { type BulkAction, runBulk, stopBulk } from './bulk.ts';
import { type BulkOutcome, type BulkProgress, changeList, useListState } from './list-state.ts';
import type { Selection } from './use-selection.ts';

interface BarOf<T> {
  readonly list: ListName;
  readonly items: readonly T[];
  readonly selection: Selection;
  readonly actions: readonly BulkAction<T>[];
  keyOf(item: T): string;
  nameOf(item: T): string;
  /** Keeps a box to select all rows while nothing is selected. */
  readonly standing?: boolean;
  /** Takes the focus when the bar closes. */
  focusList(): void;
}

/**
 * Toolbar of a list: selects all rows, shows what can be done with the selected ones, and what failed.
 * It is open while an action runs or left failures, even without rows.
 */
export function BulkBar<T>(props: BarOf<T>) {
  const { list, items, selection, actions, keyOf, nameOf, standing = false, focusList } = props;
  const { progress, outcome } = useListState(list, (state) => state);
  const [asked, setAsked] = useState<BulkAction<T> | null>(null);
  const wanted = new Set(selection.chosen);
  const chosen = items.filter((item) => wanted.has(keyOf(item)));
  const fitting = (action: BulkAction<T>): readonly T[] => chosen.filter((item) => action.fits(item));
  const begin = (action: BulkAction<T>): void => {
    setAsked(null);
    void runBulk({ list, action, items: chosen, keyOf, nameOf });
  };
  const clear = (): void => {
    changeList(list, { outcome: null });
    selection.only([]);
  };
  const isOpen = chosen.length > 0 || progress !== null || outcome !== null;
  useFocusAfter(isOpen, focusList);
  if (!isOpen && !standing) return null;
  return (
    <div className="bulk">
      <section className="bulk-bar" aria-label={t('lists.actions')}>
        <SelectAll selection={selection} />
        {progress !== null ? (
          <Progress progress={progress} onStop={() => stopBulk(list)} />
        ) : chosen.length > 0 ? (
          <>
            <strong role="status">{t('lists.selected', { n: chosen.length })}</strong>
            <BulkButtons
              actions={actions}
              isIdle={(action) => fitting(action).length === 0}
              onPick={(action) => (action.confirm ? setAsked(action) : begin(action))}
            />
          </>
        ) : null}
        {isOpen && progress === null && (
          <IconButton icon="close" label={t('lists.clear')} title={t('lists.clearKeys')} onPress={clear} />
        )}
      </section>
      {outcome !== null && <Failures outcome={outcome} />}
      {asked !== null && (
        <Question
          action={asked}
          count={fitting(asked).length}
          onConfirm={() => begin(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

/** The running action of a list, or its failures, in a view that does not show the list. */
export function BulkReport({ list }: { list: ListName }) {
  const { progress, outcome } = useListState(list, (state) => state);
  if (progress === null && outcome === null) return null;
  return (
    <div className="bulk">
      <section className="bulk-bar" aria-label={t('lists.actions')}>
        {progress !== null ? (
          <Progress progress={progress} onStop={() => stopBulk(list)} />
        ) : (
          <button
            type="button"
            className="button is-small"
            onClick={() => changeList(list, { outcome: null })}
          >
            {t('parts.close')}
          </button>
        )}
      </section>
      {outcome !== null && <Failures outcome={outcome} />}
    </div>
  );
}

function SelectAll({ selection: { chosen, total, all, only } }: { selection: Selection }) {
  const isAll = total > 0 && chosen.length === total;
  return (
    <input
      type="checkbox"
      className="pick"
      aria-label={t('lists.selectAll')}
      title={t('lists.selectAllKeys')}
      disabled={total === 0}
      checked={isAll}
      ref={(box) => {
        if (box !== null) box.indeterminate = chosen.length > 0 && !isAll;
      }}
      onChange={() => (isAll ? only([]) : all())}
    />
  );
}

interface ProgressOf {
  readonly progress: BulkProgress;
  onStop(): void;
}

function Progress({ progress, onStop }: ProgressOf) {
  return (
    <>
      <strong role="status">{t('lists.progress', { ...progress })}</strong>
      <button type="button" className="button is-small" onClick={onStop}>
        {t('lists.stop')}
      </button>
    </>
  );
}

interface QuestionOf<T> {
  readonly action: BulkAction<T>;
  readonly count: number;
  onConfirm(): void;
  onClose(): void;
}

function Question<T>({ action, count, onConfirm, onClose }: QuestionOf<T>) {
  const question = action.confirm?.(count);
  if (question === undefined) return null;
  return (
    <Confirm title={question.title} verb={action.label} danger onConfirm={onConfirm} onClose={onClose}>
      <p>{question.text}</p>
    </Confirm>
  );
}

/** Hands the focus on if it was in a part that is gone. */
function useFocusAfter(isShown: boolean, focus: () => void): void {
  const wasShown = useRef(isShown);
  useEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body) focus();
    wasShown.current = isShown;
  });
}

interface ButtonsOf<T> {
  readonly actions: readonly BulkAction<T>[];
  isIdle(action: BulkAction<T>): boolean;
  onPick(action: BulkAction<T>): void;
}

function BulkButtons<T>({ actions, isIdle, onPick }: ButtonsOf<T>) {
  return actions.map((action) => (
    <button
      key={action.key}
      type="button"
      className="button is-small bulk-action"
      title={action.label}
      disabled={isIdle(action)}
      onClick={() => onPick(action)}
    >
      <Icon name={action.icon} size={14} /> <span>{action.label}</span>
    </button>
  ));
}

/** Failures named in full; the rest is counted. */
const mostNamed = 10;

function Failures({ outcome: { label, total, failures } }: { outcome: BulkOutcome }) {
  const rest = failures.length - mostNamed;
  return (
    <div className="note is-error" role="alert">
      <Icon name="warning" size={16} />
      <div>
        <p>{t('lists.failed', { action: label, failed: failures.length, total })}</p>
        <ul className="bulk-failures">
          {failures.slice(0, mostNamed).map(({ key, name, error }) => (
            <li key={key}>
              <strong>{name}</strong>: {localizeError(error)}
            </li>
          ))}
          {rest > 0 && <li>{t('lists.moreFailed', { n: rest })}</li>}
        </ul>
      </div>
    </div>
  );
}
