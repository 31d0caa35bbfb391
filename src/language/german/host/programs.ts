import type { HostPart } from '../../host-part.ts';

export const programs: HostPart<'programs'> = {
  agentNoToolName: 'Dieser Agent hat kein Werkzeug mit diesem Namen.',
  agentNotKnown: 'Diesen Agenten gibt es hier nicht mehr.',
  agentTooManyCalls: 'Dieser Agent hat zu viele laufende Aufrufe.',
  alreadyAgent: 'Es gibt schon einen Agenten „{id}“.',
  askListTools: 'Frag nach der Liste seiner Werkzeuge.',
  bridgeListenMachineNot: 'Die Bridge darf nur auf diesem Computer lauschen, nicht auf „{host}“.',
  callIdUnderWay: 'Ein Aufruf mit dieser Kennung läuft schon.',
  dataServiceListenMachine: 'Der Datendienst darf nur auf diesem Computer lauschen, nicht auf „{host}“.',
  dataServiceSwitchedOff: 'Der Datendienst ist in daemon.yml ausgeschaltet.',
  enableBridge: 'Setze dort „enabled: true“ unter „bridge“.',
  enableDataService: 'Schreib dort „enabled: true“ unter „data_service“.',
  everythingElseRuns:
    'Alles andere läuft. Beende das andere Programm (ein altes puffo-agent?) oder ändere den Port unter „bridge“ in daemon.yml.',
  kennelNotListenMcp: 'Kennel konnte nicht auf MCP lauschen: {message}.',
  kennelNotRunningNo: 'Kennel läuft nicht, deshalb kann sich kein Gerät koppeln.',
  kennelNotRunningNoAgent: 'Kennel läuft nicht, deshalb kann kein Programm als Agent arbeiten.',
  kennelNotRunningNothing: 'Kennel läuft nicht, deshalb lässt sich nichts lesen.',
  leaveBindHost127: 'Lass bind_host auf 127.0.0.1.',
  localBridgeNotListen: 'Die lokale Bridge konnte nicht auf Port {port} lauschen: {why}.',
  localBridgeSwitchedOff: 'Die lokale Brücke ist in daemon.yml ausgeschaltet.',
  programWithoutAgentNo: 'Ein Programm ohne Agenten hat keine Werkzeuge.',
  secretsLocked: 'Deine Geheimnisse sind gesperrt.',
  startKennelStartTry: 'Starte es mit „kennel start“ und versuch es noch einmal.',
  waitSomeEnd: 'Warte, bis einige davon enden.',
};
