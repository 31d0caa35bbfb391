import type { HostPart } from '../../host-part.ts';

export const harness: HostPart<'harness'> = {
  noBridge:
    'Die Sandbox braucht Node.js („node“ in /usr/bin oder /usr/local/bin), um das Modell zu erreichen; das Programm des Agenten wurde nicht gestartet.',
  noWall: 'Dieses System bietet keine Sandbox, daher wurde das Programm des Agenten nicht gestartet.',
  noCanary: 'Diese Version von Kennel hat noch keinen Test für {title}.',
  noSession: 'Dieser Agent hat noch keine Sitzung mit {title}. Schreibe ihm zuerst.',
  noTerminal: '{title} kann diese Sitzung nicht in einem Terminal fortsetzen.',
  noTerminalOfKind: 'Ein Agent der Art {kind} hat kein Programm, das in einem Terminal läuft.',
  noTerminalInContainer: 'Ein Programm in einem Container lässt sich noch nicht in einem Terminal benutzen.',
  inTerminal: 'Ein anderes Terminal hat die Sitzung dieses Agenten.',
  noOutput: 'Seit dem Start von Kennel lief kein Programm dieses Agenten.',
  unknownProcess: 'Dieses Programm ist bereits beendet.',
  notOnWindows: 'Agentenprogramme laufen unter Windows noch nicht.',
};
