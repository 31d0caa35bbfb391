import type { HostPart } from '../../host-part.ts';

export const mcpClient: HostPart<'mcpClient'> = {
  cancelled: 'Die Anfrage an den MCP-Server wurde abgebrochen.',
  connectionClosed: 'Die Verbindung zum MCP-Server ist geschlossen.',
  invalidAnswer: 'Der MCP-Server hat ungültig geantwortet: {reason}.',
  listTooLong: 'Der MCP-Server sendet eine Liste ohne Ende.',
  messageTooDeep: 'Der MCP-Server hat eine Nachricht mit mehr als {n, number} Ebenen gesendet.',
  messageTooLarge: 'Der MCP-Server hat eine Nachricht mit mehr als {n, number} Bytes gesendet.',
  noPage:
    'Der MCP-Server verlangt eine Anmeldung, aber Kennel kann die Antwort der Anmeldeseite nicht empfangen.',
  notAuthorized: 'Der MCP-Server hat die Anmeldung abgelehnt: {reason}.',
  notOffered: 'Der MCP-Server bietet das nicht an: {reason}.',
  notSubscribable: 'Der MCP-Server meldet keine Änderungen dieser Ressource.',
  pageNotWeb: 'Die Anmeldeseite des MCP-Servers ist keine Webseite.',
  programFailed: 'Das Programm des MCP-Servers ist gescheitert: {reason}.',
  refused: 'Der MCP-Server hat die Anfrage abgelehnt: {reason}.',
  timedOut: 'Der MCP-Server hat nicht rechtzeitig geantwortet.',
  unreachable: 'Der MCP-Server ist nicht erreichbar: {reason}.',
};
