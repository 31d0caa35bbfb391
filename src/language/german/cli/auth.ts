import type { CliPart } from '../../cli-message.ts';

export const cliAuth: CliPart<'cliAuth'> = {
  codeThere: 'und gib dort diesen Code ein: {code}',
  done: 'Fertig.',
  environmentOffers: 'Für {provider} ist nichts mehr gespeichert. Die Umgebung enthält noch einen Schlüssel.',
  giveKey: 'Gib einen Schlüssel mit --api-key - an.',
  kind_key: 'Schlüssel',
  kind_login: 'Schlüssel oder Anmeldung',
  noKey: 'Kein Schlüssel wurde angegeben; nichts wurde geändert.',
  noLogin: '{provider} bietet Programmen wie diesem keine Anmeldung an.',
  nothingKept: 'Für {provider} ist nichts mehr gespeichert.',
  openAddress: 'Öffne diese Adresse in einem Browser:',
  keyQuestion: 'API-Schlüssel für {provider}:',
  state_api_key: 'gespeicherter Schlüssel',
  state_environment: 'Schlüssel aus der Umgebung',
  state_expired: 'Anmeldung abgelaufen',
  state_logged_in: 'angemeldet',
  state_none: 'kein Schlüssel',
  waiting: 'Warte, bis du dort fertig bist. Strg-C beendet das Warten.',
};
