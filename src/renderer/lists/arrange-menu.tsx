import { Menu as Parts } from '@base-ui/react/menu';
import { t } from '../../language/texts.ts';
import { Menu } from '../parts/menu.tsx';
import { type ListName, listChoices, setArrangement, usePreferences } from '../state/preferences.ts';

/** Order and groups of a list; the choice is kept for this list. */
export function ArrangeMenu({ list }: { list: ListName }) {
  const { sort, group } = usePreferences(({ lists }) => lists[list]);
  return (
    <Menu label={t('lists.arrange')} icon="sort">
      <Choices
        label={t('lists.sortBy')}
        value={sort}
        options={listChoices[list].sort.map((key) => [key, t(`lists.sort_${key}`)] as const)}
        onPick={(chosen) => setArrangement(list, { sort: chosen })}
      />
      <Choices
        label={t('lists.groupBy')}
        value={group}
        options={listChoices[list].group.map((key) => [key, t(`lists.group_${key}`)] as const)}
        onPick={(chosen) => setArrangement(list, { group: chosen })}
      />
    </Menu>
  );
}

interface ChoicesOf<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  onPick(value: T): void;
}

function Choices<T extends string>({ label, value, options, onPick }: ChoicesOf<T>) {
  const pick = (chosen: unknown): void => {
    const option = options.find(([key]) => key === chosen);
    if (option !== undefined) onPick(option[0]);
  };
  return (
    <Parts.Group className="menu-group">
      <Parts.GroupLabel className="menu-label">{label}</Parts.GroupLabel>
      <Parts.RadioGroup value={value} onValueChange={pick}>
        {options.map(([key, words]) => (
          <Parts.RadioItem key={key} value={key} className="menu-item is-choice">
            {words}
          </Parts.RadioItem>
        ))}
      </Parts.RadioGroup>
    </Parts.Group>
  );
}
