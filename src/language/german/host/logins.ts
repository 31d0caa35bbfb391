import type { HostPart } from '../../host-part.ts';

export const logins: HostPart<'logins'> = {
  checkAddressesUnderLogins: 'Prüfe die Adressen unter „logins“ in daemon.yml.',
  kennelKnowsNoLogin: 'Kennel kennt bei {name} keine Anmeldung für Programme wie dieses.',
  kennelNotListenEnd: 'Kennel konnte nicht auf das Ende der Anmeldung lauschen: {message}.',
  logAgainKennelAuth: 'Melde dich unter Einstellungen, Anbieter neu an.',
  logAgainKennelAuth2: 'Melde dich unter Einstellungen, Anbieter neu an.',
  logOutAgainKennel: 'Melde dich mit `kennel auth` ab und wieder an.',
  logThroughBrowserMachine: 'Melde dich in einem Browser auf diesem Computer an.',
  loginDeclined: 'Die Anmeldung wurde abgelehnt. Du bist nicht angemeldet.',
  loginNeedsAuthorizeUrl: 'Eine Anmeldung braucht eine authorize_url oder eine device_url.',
  loginNeedsClientId: 'Eine Anmeldung braucht eine client_id.',
  loginNeedsTokenUrl: 'Eine Anmeldung braucht eine token_url.',
  loginOver: 'Die Anmeldung bei {provider} ist abgelaufen.',
  loginServerAnsweredSomething:
    'Der Anmeldeserver antwortete mit etwas Unlesbarem. Du bist nicht angemeldet.',
  loginStopped: 'Die Anmeldung wurde abgebrochen.',
  mustHttpsAddress: '{key} muss eine https-Adresse sein; dorthin gehen Token.',
  noSuchLoginUnder: 'Diese Anmeldung läuft nicht mehr.',
  nobodyConfirmedLoginTime: 'Die Anmeldung wurde nicht rechtzeitig bestätigt. Du bist nicht angemeldet.',
  nobodyFinishedLoginTime: 'Die Anmeldung wurde nicht rechtzeitig abgeschlossen. Du bist nicht angemeldet.',
  notAnswer: '{host} antwortet nicht. Nichts wurde geändert.',
  notLogged: 'Du bist bei {provider} nicht angemeldet.',
  offersNoLoginCode: '{provider} bietet keine Anmeldung mit einem Code an.',
  providerEndedLogin: 'Der Anbieter hat diese Anmeldung beendet.',
  runKennelAuthLogin: 'Führe „kennel auth login {provider}“ aus.',
  startAgain: 'Fang sie noch einmal an.',
  startAgainMistake: 'Fang sie noch einmal an, wenn das ein Versehen war.',
  storedLoginCannotRead: 'Die gespeicherte Anmeldung ist nicht lesbar.',
  tryAgain: 'Versuch es noch einmal.',
  useApiKeyDescribe:
    'Nimm einen API-Schlüssel, oder beschreibe deinen eigenen Client unter „logins“ in daemon.yml.',
};
