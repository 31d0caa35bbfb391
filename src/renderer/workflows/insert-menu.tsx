import { t } from '../../language/texts.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { fieldHelp } from './editor/field-place.ts';
import { type InsertedKind, insertedKinds } from './editor/insert-step.ts';
import { stepKindText } from './step-text.ts';

interface MenuOf {
  onPick(kind: InsertedKind): void;
  /** The text that gets the focus after a pick. */
  focusAfter(): HTMLElement | null;
}

/** Menu of step kinds; picking one inserts its template at the cursor. */
export const InsertMenu = ({ onPick, focusAfter }: MenuOf) => (
  <Menu label={t('workflows.insertStep')} icon="plus" text focusAfter={focusAfter}>
    {insertedKinds.map((kind) => (
      <MenuItem key={kind} keepsFocus onPick={() => onPick(kind)}>
        <span className="insert-kind">
          <strong>{stepKindText(kind.replace('llm_task', 'llm-task'))}</strong>
          <span className="fine">{fieldHelp(`step_${kind}`)}</span>
        </span>
      </MenuItem>
    ))}
  </Menu>
);
