import type { HostPart } from '../../host-part.ts';

export const mcpServers: HostPart<'mcpServers'> = {
  unknown: 'Hier gibt es keinen MCP-Server „{name}“.',
  runList: '„kennel mcp list“ zeigt alle Server.',
  ownName: '„{name}“ ist der Name von Kennels eigenem Server.',
  nameTaken: 'Hier gibt es schon einen MCP-Server „{name}“.',
  nameRules: 'Ein Name hat bis zu 64 kleine Buchstaben, Ziffern und „-“ und beginnt nicht mit „-“.',
  invalidEntry: 'Der Eintrag dieses Servers ist nicht gültig: {why}.',
  otherFile: '„{name}“ steht in agent.yml.',
  removeThere: 'Entferne ihn dort aus mcp_servers.',
  notAccepted: 'Der Server „{name}“ darf noch nicht laufen: Sein Befehl wurde nicht bestätigt.',
  acceptFirst: 'Sieh ihn dir an, dann führe „kennel mcp accept {name}“ aus.',
  changedMeanwhile: 'Der Server hat sich geändert, seit er gezeigt wurde; nichts wurde bestätigt.',
  lookAgain: 'Sieh ihn dir noch einmal an.',
  startCancelled: 'Der Start des Servers wurde abgebrochen.',
  ended: 'Der Server hat sich beendet.',
  gaveUp: 'Der Server ist zu oft gescheitert und wird nicht mehr gestartet. {why}',
  startAgain: 'Starte ihn von Hand, sobald die Ursache behoben ist.',
  toolChanged:
    'Die Beschreibung von „{tool}“ hat sich geändert, seit sie bestätigt wurde. Nichts wurde gesendet; über die neue entscheidet der Besitzer.',
  programChanged:
    'Das Programm des Servers „{name}“ hat sich seit deiner Bestätigung geändert und wurde nicht gestartet.',
  toolGone: 'Der Server bietet „{tool}“ nicht mehr an.',
  tooManyTools: 'Der Server beschreibt {count, number} Werkzeuge, mehr als Kennel annimmt.',
  secretMissing: 'Der Wert von {name} für diesen Server ist nicht gespeichert.',
  setSecret: 'Füge den Server mit dem Wert noch einmal hinzu.',
  programMissing: 'Das Programm „{command}“ wurde in PATH nicht gefunden.',
  wantsToStart: 'will den MCP-Server {server} starten',
  wantsToConnect: 'will den MCP-Server {server} nutzen',
  wantsChangedTools: 'will geänderte Werkzeuge des MCP-Servers {server} nutzen',
  whyStart: 'Dieses Programm liefe mit deinen Rechten. Es startet, wenn der Agent es benutzt.',
  whyConnect: 'Daten des Agenten gingen an diese Adresse.',
  whyTools: 'Der Server beschreibt diese Werkzeuge anders als bei deiner Bestätigung.',
  wantsAnswer: 'will deine Antwort an den MCP-Server {server} weitergeben',
  wantsPage: 'will dich bitten, eine Seite für den MCP-Server {server} zu öffnen',
  wantsModel: 'will den MCP-Server {server} sein Modell nutzen lassen',
  whyAnswer:
    'Diesen Text schrieb der Server, nicht der Agent. Deine Werte gehen an {reaches}. Gib hier nie ein Passwort oder einen Schlüssel ein.',
  whyPage:
    'Diesen Text schrieb der Server, nicht der Agent. Die Seite von {host} öffnet sich nur, wenn du sie öffnest.',
  whyModel:
    'Diese Anfrage schrieb der Server. Die Antwort des Modells geht an den Server, und ihre Kosten zählen für den Agenten.',
  wantsSignIn: 'will, dass du dich beim MCP-Server {server} anmeldest',
  whySignIn:
    'Öffne die Seite und melde dich dort an. Kennel bekommt ein Token für diesen Server und sieht dein Passwort nie.',
  thisRequest: 'Diese Anfrage',
  requestRefused: 'Die Anfrage des Servers wurde abgelehnt.',
  valuesDoNotFit: 'Die Werte passen nicht zum Formular: {why}.',
  startAlways: 'Bis sich das ändert',
  toolsAlways: 'Diese Beschreibungen, bis sie sich ändern',
};
