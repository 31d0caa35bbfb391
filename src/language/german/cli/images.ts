import type { CliPart } from '../../cli-message.ts';

export const cliImages: CliPart<'cliImages'> = {
  done: 'Das Image {image} ist bereit.',
  engineFailed: '{engine} funktioniert nicht: {why}',
  engineNoPermission:
    'Du darfst {engine} nicht benutzen. Gib deinem Benutzer das Recht dazu (bei Docker: die Gruppe docker).',
  engineNotRunning: '{engine} ist installiert, läuft aber nicht. Starte es.',
  engineReady: '{engine} ist bereit.',
  image: 'IMAGE',
  isMissing: 'noch nicht erstellt',
  isThere: 'bereit',
  noEngine:
    'Weder Docker noch podman ist installiert. Installiere eines davon, um Agenten in Containern laufen zu lassen.',
};
