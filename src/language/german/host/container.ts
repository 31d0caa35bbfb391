import type { HostPart } from '../../host-part.ts';

export const container: HostPart<'container'> = {
  noEngine:
    'Auf diesem Computer ist weder Docker noch podman; der Container des Agenten wurde nicht gestartet.',
  installEngine: 'Installiere Docker oder podman und versuch es noch einmal.',
  noPermission: 'Du darfst {engine} nicht benutzen; der Container des Agenten wurde nicht gestartet.',
  giveRights:
    'Gib deinem Benutzer das Recht, {engine} zu nutzen (bei Docker: die Gruppe docker), oder installiere podman, das keines braucht.',
  notRunning: '{engine} ist installiert, läuft aber nicht; der Container des Agenten wurde nicht gestartet.',
  startEngine: 'Starte {engine} und versuch es noch einmal.',
  engineFailed: '{engine} funktioniert auf diesem Computer nicht: {why}',
  imageMissing: 'Das Image {image} fehlt auf diesem Computer.',
  makeImage:
    'Erstelle es auf der Karte „Modell“ des Agenten oder mit „kennel images build“, oder hole ein eigenes mit „kennel images pull“.',
  programMissing: 'Im Image {image} fehlt das Programm {title}.',
  recipeNotWritten: 'Das Rezept des Images konnte nicht geschrieben werden: {why}',
  recipeNotRead: 'Das Rezept des Images konnte nicht gelesen werden: {why}',
  noRecipe: 'Kennel hat kein Rezept für ein Image mit {title}. Gib ein eigenes an.',
  jobRuns: 'Das Image {image} ist noch nicht fertig. Warte darauf oder brich es ab.',
  engineRefused: '{engine} hat „{verb}“ abgelehnt: {why}',
  engineSilent: '{engine} wurde mit „{verb}“ nicht rechtzeitig fertig.',
  startNotWritten: 'Die Dateien für den Start eines Containers konnten nicht geschrieben werden: {why}',
};
