import type { HostPart } from '../../host-part.ts';

export const usage: HostPart<'usage'> = {
  allAgents: 'allen Agenten',
  budgetNearlyUsedUp: 'Das Budget von {whose} ist fast aufgebraucht: {figures}.',
  budgetUsedUp: 'Das Budget von {whose} ist aufgebraucht: {figures}.',
  continuesByItself: 'Es geht von selbst weiter, wenn die Platte wieder arbeitet.',
  month: 'in diesem Monat',
  nextMonth: 'zum nächsten Monat',
  dollars: '{used} von {max} {span}',
  unknownPrice:
    'Der Preis von {model} ist unbekannt, und das Budget von {whose} gilt in Dollar. Das Modell wurde nicht gefragt.',
  raiseOrWait: 'Erhöhe es unter „Nutzung“ (oder mit `{command}`), oder warte bis {until}.',
  setPrice: 'Setze einen Preis für {model} (daemon.yml, `prices`) oder ein Budget in Token.',
  simulated: '{used} von {max} (gedacht) {span}',
  spendingUnreadable:
    'Was bisher ausgegeben wurde, lässt sich nicht lesen, also wird nichts mehr ausgegeben. {why}',
  spendingLocked: 'Die Ausgaben sind mit deinen Geheimnissen gesperrt.',
  today: 'heute',
  tokens: '{used} von {max} Token {span}',
  tomorrow: 'morgen',
};
