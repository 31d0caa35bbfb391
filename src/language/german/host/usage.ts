import type { HostPart } from '../../host-part.ts';

export const usage: HostPart<'usage'> = {
  goesItselfWhenDisk: 'Es geht von selbst weiter, wenn die Platte wieder arbeitet.',
  priceUnknownBudgetDollars:
    'Der Preis von {model} ist unbekannt, und das Budget von {name} gilt in Dollar. Das Modell wurde nicht gefragt.',
  setPriceDaemonYml: 'Setze einen Preis für {model} (daemon.yml, `prices`) oder ein Budget in Token.',
  spentFarCannotRead:
    'Was bisher ausgegeben wurde, lässt sich nicht lesen, also wird nichts mehr ausgegeben. {why}',
  spentLockedSecrets: 'Die Ausgaben sind mit deinen Geheimnissen gesperrt.',
};
