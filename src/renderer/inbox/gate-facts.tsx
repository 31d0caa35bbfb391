import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import type { GateForm } from './gate-answer.tsx';

export function gateFacts(
  gate: GateForm,
  nameOf: (who: string) => string,
): readonly (readonly [string, string])[] {
  const names = (all: readonly string[]): string => (all.length === 0 ? 'none' : all.map(nameOf).join(', '));
  return [
    [t('gates.run'), visibleLine(gate.runName)],
    [t('gates.step'), visibleLine(gate.path)],
    ...(gate.named.length === 0 ? [] : [[t('gates.approvers'), names(gate.named)] as const]),
    ...(gate.needed <= 1
      ? []
      : [
          [
            t('gates.votes'),
            t('gates.votesSoFar', { n: gate.votes.length, of: gate.needed, names: names(gate.votes) }),
          ] as const,
        ]),
    ...(gate.notInitiator ? [[t('gates.rule'), t('gates.notInitiator')] as const] : []),
  ];
}
