import type { CliPart } from '../../cli-message.ts';

export const cliService: CliPart<'cliService'> = {
  cannotStop: 'Der Dienst ist entfernt; er ließ sich nicht beenden.',
  headless: 'Soll er auch laufen, wenn du nicht angemeldet bist? Dann auch:',
  installed: 'Kennel läuft jetzt als Dienst und startet mit deiner Anmeldung. ({path})',
  locked: 'Mit einer Passphrase startet er gesperrt: Führe nach jedem Start „kennel unlock“ aus.',
  none: 'Es gibt keinen solchen Dienst; nichts wurde geändert.',
  removed: 'Der Dienst ist beendet und entfernt.',
  toStart: 'So startest du ihn:',
  wrote: '{path} ist geschrieben.',
};
