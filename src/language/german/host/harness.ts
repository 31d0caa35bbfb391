import type { HostPart } from '../../host-part.ts';

export const harness: HostPart<'harness'> = {
  noBridge:
    'Die Sandbox braucht Node.js („node“ in /usr/bin oder /usr/local/bin), um das Modell zu erreichen; das Programm des Agenten wurde nicht gestartet.',
  noWall: 'Dieses System bietet keine Sandbox, daher wurde das Programm des Agenten nicht gestartet.',
  noCanary: 'Diese Version von Kennel hat noch keinen Test für {title}.',
  noOutput: 'Seit dem Start von Kennel lief kein Programm dieses Agenten.',
  unknownProcess: 'Dieses Programm ist bereits beendet.',
  notOnWindows: 'Agentenprogramme laufen unter Windows noch nicht.',
};
