import { t } from '../../language/texts.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { fieldHelp } from './editor/field-place.ts';
import { type InsertedKind, insertedKinds } from './editor/insert-step.ts';
import { stepKindText } from './step-words.ts';

/** Menu of step kinds; picking one inserts its template at the cursor. */
export const InsertMenu = ({ onPick }: { onPick(kind: InsertedKind): void }) => (
  <Menu label={t('workflows.insertStep')} icon="plus" text>
    {insertedKinds.map((kind) => (
      <MenuItem key={kind} onPick={() => onPick(kind)}>
        <span className="insert-kind">
          <strong>{stepKindText(kind.replace('llm_task', 'llm-task'))}</strong>
          <span className="fine">{fieldHelp(`step_${kind}`)}</span>
        </span>
      </MenuItem>
    ))}
  </Menu>
);
