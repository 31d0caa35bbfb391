import type { AllowScope, Approval } from '../../contract/approvals.ts';
import { t } from '../../language/texts.ts';

const risks = { low: 'riskLow', medium: 'riskMedium', high: 'riskHigh' } as const;
export const riskWords = (risk: Approval['risk']): string => t(`consent.${risks[risk]}`);

const kinds = {
  tool: 'kindTool',
  spending: 'kindSpending',
  invitation: 'kindInvitation',
  contact: 'kindContact',
  workflow: 'kindWorkflow',
  question: 'kindQuestion',
} as const;
export const approvalKinds = Object.keys(kinds) as readonly Approval['kind'][];
export const approvalKindText = (kind: Approval['kind']): string => t(`consent.${kinds[kind]}`);

const sandboxes = {
  confined: 'sandboxConfined',
  bubblewrap: 'sandboxBubblewrap',
  container: 'sandboxContainer',
  none: 'sandboxNone',
} as const;
export const sandboxWords = (sandbox: NonNullable<Approval['sandbox']>): string =>
  t(`consent.${sandboxes[sandbox]}`);

/** Label of the button. */
export const scopeWords = (scope: AllowScope): string => t(`consent.${scope}`);

const allowed = {
  once: 'allowedOnce',
  session: 'allowedSession',
  exact: 'allowedExact',
  pattern: 'allowedPattern',
} as const;

const places = {
  window: 'inWindow',
  terminal: 'inTerminal',
  chat: 'inChat',
  tray: 'fromTray',
  notification: 'fromNotification',
  editor: 'inEditor',
  expiry: null,
  host: 'byKennel',
} as const;

/** Surface of the answer; empty if the approval was not answered. */
export function surfaceWords({ decision }: Approval): string {
  const place = decision === null ? null : places[decision.surface];
  return place === null ? '' : t(`consent.${place}`);
}

/** Example: "Allowed once", "Denied", without name and time. */
export function answerWords({ state, decision }: Approval): string {
  if (decision?.as !== undefined) return t(`gates.as_${decision.as}`);
  switch (state) {
    case 'waiting':
      return t('consent.waits');
    case 'allowed':
      return t(`consent.${allowed[decision?.scope ?? 'once']}`);
    case 'denied':
    case 'expired':
    case 'cancelled':
      return t(`consent.${state}`);
  }
}
