import type { HostPart } from '../../host-part.ts';

export const usage: HostPart<'usage'> = {
  allAgents: 'allen Agenten',
  budgetNearlyUsedUp: 'Das Budget von {whose} ist fast aufgebraucht: {figures}.',
  budgetUsedUp: 'Das Budget von {whose} ist aufgebraucht: {figures}.',
  continuesByItself: 'Kennel macht von selbst weiter, wenn die Platte wieder arbeitet.',
  month: 'in diesem Monat',
  nextMonth: 'zum nächsten Monat',
  dollars: '{used, dollars} von {max, dollars} {span}',
  unknownPrice:
    'Der Preis von {model} ist unbekannt, und das Budget von {whose} gilt in Dollar. Das Modell wurde nicht gefragt.',
  raiseOrWait: 'Erhöhe es unter „Nutzung“ (oder mit `{command}`), oder warte bis {until}.',
  setPrice: 'Setze einen Preis für {model} (daemon.yml, `prices`) oder ein Budget in Token.',
  simulated: '{used, dollars} von {max, dollars} (gedacht) {span}',
  spendingUnreadable: 'Kennel kann die bisherigen Ausgaben nicht lesen, also gibt es nichts mehr aus. {why}',
  spendingLocked: 'Deine Ausgaben sind zusammen mit deinen Geheimnissen gesperrt.',
  today: 'heute',
  tokens: '{used, number} von {max, number} Token {span}',
  tomorrow: 'morgen',
  usd: '{usd, dollars}',
  tokenCount: '{count, number} Token',
  another: '{when} noch einmal {amount}',
  allNeedMore:
    'kann nicht weitermachen: Alle Agenten zusammen haben ihr Budget von {amount} für {when} verbraucht. Dürfen sie {when} noch einmal {amount} ausgeben?',
  agentNeedsMore:
    'hat das Budget von {amount} für {when} verbraucht. Darf er {when} noch einmal {amount} ausgeben?',
  whyAsked:
    'Gefragt wird, weil ohne dich nichts über ein Budget hinaus ausgegeben wird. Das Budget bleibt, wie es ist.',
};
