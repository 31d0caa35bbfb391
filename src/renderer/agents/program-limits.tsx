import type { RuntimeKind } from '../../contract/runtime-kinds.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ChoiceField, Field } from '../parts/field.tsx';

export interface ProgramLimitsForm {
  /** `permission_mode` of agent.yml. */
  readonly permissionMode: string;
  /** `max_turns` as it was typed. */
  readonly maxTurns: string;
}

const modes: readonly (readonly [string, () => string])[] = [
  ['bypassPermissions', () => t('runtime.modeDefault')],
  ['acceptEdits', () => t('runtime.modeAcceptEdits')],
  ['plan', () => t('runtime.modePlan')],
  ['dontAsk', () => t('runtime.modeDontAsk')],
];

interface LimitsOf {
  readonly kind: RuntimeKind;
  readonly value: ProgramLimitsForm;
  change(part: Partial<ProgramLimitsForm>): void;
}

/** Fields: actions of a program without a question, and the length of a turn of the SDK. */
export function ProgramLimitFields({ kind, value: { permissionMode, maxTurns }, change }: LimitsOf) {
  const isKnown = modes.some(([mode]) => mode === permissionMode);
  const stored = isKnown ? [] : [[permissionMode, visibleLine(permissionMode)] as const];
  return (
    <>
      <ChoiceField
        label={t('runtime.permissionMode')}
        value={permissionMode}
        options={[...modes.map(([mode, title]) => [mode, title()] as const), ...stored]}
        onChange={(mode: string) => change({ permissionMode: mode })}
        hint={t('runtime.permissionModeHint')}
      />
      {kind === 'sdk-local' && (
        <Field
          label={t('runtime.maxTurns')}
          hint={t('runtime.maxTurnsHint')}
          type="number"
          min={1}
          step={1}
          required
          value={maxTurns}
          onChange={(event) => change({ maxTurns: event.target.value })}
        />
      )}
    </>
  );
}
