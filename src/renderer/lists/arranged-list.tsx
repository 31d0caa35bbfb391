import { type ReactNode, useMemo } from 'react';
import { t } from '../../language/texts.ts';
import type { ListName } from '../state/preferences.ts';
import { type Arrangement, arrange } from './arrange.ts';
import { ArrangeMenu } from './arrange-menu.tsx';
import type { BulkAction } from './bulk.ts';
import { BulkBar } from './bulk-bar.tsx';
import { GroupHead } from './group-head.tsx';
import { ListRows } from './list-rows.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useSelection } from './use-selection.ts';

interface ListOf<T> {
  readonly list: ListName;
  readonly label: string;
  readonly rows: readonly T[];
  readonly by: Arrangement<T>;
  readonly actions: readonly BulkAction<T>[];
  /** Key of the row that Tab reaches first, or `null` for the first one. */
  readonly current?: string | null;
  /** Loads further rows; absent if all are given. */
  readonly more?: { readonly label: string; load(): void };
  /** Shown instead of the rows if none exist. */
  readonly none: ReactNode;
  nameOf(row: T): string;
  render(row: T, reachable: boolean): ReactNode;
}

/** A card of rows that can be sorted, grouped and selected. */
export function ArrangedList<T>(props: ListOf<T>) {
  const { list, label, rows, by, actions, current = null, more, nameOf, none, render } = props;
  const items = useMemo(() => arrange(rows, by), [rows, by]);
  const ids = useMemo(() => items.flatMap(({ kind, key }) => (kind === 'row' ? [key] : [])), [items]);
  const selection = useSelection(list, ids);
  const keys = useListKeys({ keys: ids, current, selection });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows have the focus, this only hears their keys
    <div className="stack" ref={keys.place} onFocus={keys.onFocus} onKeyDown={keys.onKeyDown}>
      <div className="list-tools">
        <BulkBar
          list={list}
          items={rows}
          selection={selection}
          actions={actions}
          keyOf={by.keyOf}
          nameOf={nameOf}
          focusList={keys.focus}
          standing={rows.length > 0}
        />
        {rows.length > 0 && <ArrangeMenu list={list} />}
      </div>
      {rows.length === 0 ? (
        none
      ) : (
        <ListRows
          className="card rows-card"
          label={label}
          items={items}
          active={keys.active}
          selection={selection}
          nameOf={(item) => (item.kind === 'row' ? nameOf(item.row) : null)}
          render={(item) =>
            item.kind === 'head' ? (
              <GroupHead title={item.title} count={item.count} level={2} />
            ) : (
              render(item.row, item.key === keys.active)
            )
          }
        />
      )}
      {more && (
        <div className="list-more">
          <button type="button" className="button is-small" onClick={more.load}>
            {more.label}
          </button>
          <span className="fine">{t('lists.loadedOnly', { n: rows.length })}</span>
        </div>
      )}
    </div>
  );
}
