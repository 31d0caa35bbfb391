import type { HostPart } from '../../host-part.ts';

export const container: HostPart<'container'> = {
  noEngine:
    'Auf diesem Computer antwortet weder Docker noch podman; der Container des Agenten wurde nicht gestartet.',
  imageMissing: 'Das Image {image} fehlt auf diesem Computer. Hole es mit: {engine} pull {image}',
  engineRefused: '{engine} hat „{verb}“ abgelehnt: {why}',
  engineSilent: '{engine} wurde mit „{verb}“ nicht rechtzeitig fertig.',
  startNotWritten: 'Die Dateien für den Start eines Containers konnten nicht geschrieben werden: {why}',
};
