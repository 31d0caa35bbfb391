import type { Words } from '../words.ts';

export const containers: Words<'containers'> = {
  container: 'Container',
  byEngine:
    'Ein eigener Container, von {engine}. Er wird angehalten, solange der Agent nichts tut, und bleibt erhalten.',
  noEngine:
    'Auf diesem Computer ist weder Docker noch podman. Installiere eines davon und suche dann erneut.',
  noPermission:
    'Du darfst {engine} nicht benutzen. Gib deinem Benutzer das Recht dazu (bei Docker: die Gruppe docker), oder installiere podman.',
  notRunning: '{engine} ist installiert, läuft aber nicht. Starte es und suche dann erneut.',
  engineFailed: '{engine} funktioniert auf diesem Computer nicht: {why}',
  asksNever: 'Es fragt nie. Nur sein Container begrenzt, was es tut.',
  touches:
    'Die Ordner des Agenten. Es sieht nie Schlüssel, dein Benutzerverzeichnis oder andere Agenten. Das Netz nur, wenn du es erlaubst.',
  costs:
    'Das Modell, das du dafür wählst, gezählt und begrenzt durch das Budget des Agenten. Seine eigene Anmeldung bleibt außerhalb.',
  canRun: 'Es kann in einem Container laufen, ohne installiert zu sein.',
  imageReady: 'Das Image {image} ist bereit.',
  imageMissing: 'Das Image mit {title} wurde noch nicht gebaut.',
  build: 'Image bauen',
  buildAgain: 'Noch einmal bauen',
  building: 'Das Image mit {title} wird gebaut. Das dauert einige Minuten.',
  stop: 'Abbrechen',
  ownImage: 'Image',
  ownImageHint: 'Leer: das Image, das Kennel baut. Ein anderes Image braucht das Programm und Node.js.',
  state: 'Zustand',
  limits: 'Grenzen',
  limitsAre:
    'Speicher {memory}, {cpus, plural, one {# Prozessor} other {# Prozessoren}}, {processes, number} Prozesse',
  unlimited: 'unbegrenzt',
  agentImageMissing: 'Das Image {image} ist nicht auf diesem Computer.',
  notStarted: 'Noch nicht gestartet',
  stateIs: 'Der Container ist im Zustand {state}.',
};
