import type { HostPart } from '../../host-part.ts';

export const harness: HostPart<'harness'> = {
  noWall: 'Dieses System bietet keine Sandbox, daher wurde das Programm des Agenten nicht gestartet.',
  notOnWindows: 'Agentenprogramme laufen unter Windows noch nicht.',
};
