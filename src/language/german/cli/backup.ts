import type { CliPart } from '../../cli-message.ts';

export const cliBackup: CliPart<'cliBackup'> = {
  aside: 'Deine früheren Daten liegen in {aside}; lösche sie, wenn du sicher bist.',
  keychain: 'Sie öffnet sich nur, wo der Schlüsselbund „{backend}“ den Schlüssel dieses Ordners hat.',
  made: '{files} {files|Datei|Dateien}, {size}, in {path} gesichert.',
  replaces:
    'Das setzt {from} an die Stelle von {home}; deine jetzigen Daten werden beiseitegelegt. Fortfahren?',
  restored: '{files} {files|Datei|Dateien} wiederhergestellt, Stand {time}.',
};
