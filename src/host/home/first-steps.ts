/** Facts of the checklist of first steps that no topic has, kept with the operator's account. */
import { z } from 'zod';
import type { Clock } from '../../core/ports.ts';
import type { AccountStore } from '../../core/puffo/account-store.ts';

const key = 'home.steps';
const stepsSchema = z.object({ isHidden: z.boolean(), backedUpAt: z.number().nullable() });
export type FirstStepsView = z.infer<typeof stepsSchema>;

const nothingYet: FirstStepsView = { isHidden: false, backedUpAt: null };

export interface FirstStepsDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** The operator's account, or `null` without an operator. */
  self(): { readonly store: Pick<AccountStore, 'getValue' | 'setValue'> } | null;
}

export interface FirstSteps {
  view(): FirstStepsView;
  hide(): void;
  noteBackup(): void;
}

export function createFirstSteps({ clock, self }: FirstStepsDeps): FirstSteps {
  const view = (): FirstStepsView => {
    try {
      return stepsSchema.parse(JSON.parse(self()?.store.getValue(key) ?? ''));
    } catch {
      return nothingYet;
    }
  };
  const change = (part: Partial<FirstStepsView>): void =>
    self()?.store.setValue(key, JSON.stringify({ ...view(), ...part }));
  return {
    view,
    hide: () => change({ isHidden: true }),
    noteBackup: () => change({ backedUpAt: clock.now() }),
  };
}
