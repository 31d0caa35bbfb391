/** The words around a question and its answer. */
import type { AllowScope, Approval, Grant } from '../../contract/consent.ts';

export const riskWords = { low: 'low risk', medium: 'medium risk', high: 'high risk' } as const;

export const sandboxWords = {
  confined: 'Held to its own folders; no shell',
  bubblewrap: 'In a sandbox of the operating system',
  none: 'None: it would run with your own rights',
} as const;

/** What the button says, and what it means. */
export const scopeWords: Readonly<Record<AllowScope, readonly [string, string]>> = {
  once: ['Allow once', 'Only this one time.'],
  session: ['Allow for now', 'Until Kennel stops, without asking again:'],
  exact: ['Always allow exactly this', 'From now on, without asking again:'],
  pattern: ['Always allow this pattern', 'From now on, for everything that fits:'],
};

const allowed: Readonly<Record<AllowScope, string>> = {
  once: 'Allowed once',
  session: 'Allowed until Kennel stops',
  exact: 'Always allowed, exactly this',
  pattern: 'Always allowed, this pattern',
};

type Decision = NonNullable<Approval['decision']>;

const surfaces: Readonly<Record<Decision['surface'], string>> = {
  window: 'in the window',
  terminal: 'in the terminal',
  chat: 'in the chat',
  tray: 'from the tray',
  notification: 'from a notification',
  expiry: '',
  host: 'by Kennel',
};

export const surfaceWords = (approval: Approval): string =>
  approval.decision === null ? '' : surfaces[approval.decision.surface];

/** "Allowed once", "Denied", without who and when. */
export function answerWords({ state, decision }: Approval): string {
  switch (state) {
    case 'waiting':
      return 'Waits for you';
    case 'allowed':
      return allowed[decision?.scope ?? 'once'];
    case 'denied':
      return 'Denied';
    case 'expired':
      return 'Nobody answered in time, so it was denied';
    case 'cancelled':
      return 'Withdrawn';
  }
}

export const grantScopeWords: Readonly<Record<Grant['scope'], string>> = {
  session: 'until Kennel stops',
  exact: 'exactly this',
  pattern: 'this pattern',
};
