import type { HostPart } from '../../host-part.ts';

type Forms = readonly [infinitive: string, present: string, done: string];

const forms: { readonly [Key in keyof HostPart<'actions'>]: Forms } = {
  askModel: ['das Modell nach JSON fragen', 'fragt das Modell nach JSON', 'das Modell nach JSON gefragt'],
  beginAnew: [
    'die nächste Runde von vorn beginnen',
    'beginnt die nächste Runde von vorn',
    'die nächste Runde von vorn begonnen',
  ],
  callServerTool: [
    '{tool} des MCP-Servers {server} nutzen',
    'nutzt {tool} des MCP-Servers {server}',
    '{tool} des MCP-Servers {server} genutzt',
  ],
  cancelRun: ['den Lauf {id} abbrechen', 'bricht den Lauf {id} ab', 'den Lauf {id} abgebrochen'],
  changeWith: ['mit {program} etwas ändern', 'ändert etwas mit {program}', 'mit {program} etwas geändert'],
  editFile: ['{path} ändern', 'ändert {path}', '{path} geändert'],
  editNote: ['die Notiz {name} ändern', 'ändert die Notiz {name}', 'die Notiz {name} geändert'],
  fetchFiles: ['Dateien aus {channel} holen', 'holt Dateien aus {channel}', 'Dateien aus {channel} geholt'],
  finishTask: ['die Aufgabe abschließen', 'schließt die Aufgabe ab', 'die Aufgabe abgeschlossen'],
  forgetNote: ['die Notiz {name} löschen', 'löscht die Notiz {name}', 'die Notiz {name} gelöscht'],
  giveItselfTask: [
    'sich selbst eine Aufgabe geben',
    'gibt sich selbst eine Aufgabe',
    'sich selbst eine Aufgabe gegeben',
  ],
  giveTask: ['{name} eine Aufgabe geben', 'gibt {name} eine Aufgabe', '{name} eine Aufgabe gegeben'],
  installServer: [
    'den MCP-Server {name} einrichten',
    'richtet den MCP-Server {name} ein',
    'den MCP-Server {name} eingerichtet',
  ],
  installSkill: [
    'die Fertigkeit {name} einrichten',
    'richtet die Fertigkeit {name} ein',
    'die Fertigkeit {name} eingerichtet',
  ],
  listAgents: [
    'die Agenten der Kanäle auflisten',
    'listet die Agenten der Kanäle auf',
    'die Agenten der Kanäle aufgelistet',
  ],
  listChannels: ['die Kanäle auflisten', 'listet die Kanäle auf', 'die Kanäle aufgelistet'],
  listFolder: [
    'den Inhalt von {path} auflisten',
    'listet den Inhalt von {path} auf',
    'den Inhalt von {path} aufgelistet',
  ],
  listMembers: [
    'die Mitglieder von {channel} auflisten',
    'listet die Mitglieder von {channel} auf',
    'die Mitglieder von {channel} aufgelistet',
  ],
  listNotes: ['die Notizen auflisten', 'listet die Notizen auf', 'die Notizen aufgelistet'],
  listServers: ['die MCP-Server auflisten', 'listet die MCP-Server auf', 'die MCP-Server aufgelistet'],
  listSkills: ['die Fertigkeiten auflisten', 'listet die Fertigkeiten auf', 'die Fertigkeiten aufgelistet'],
  listTasks: ['die Aufgaben auflisten', 'listet die Aufgaben auf', 'die Aufgaben aufgelistet'],
  lookAtRun: ['den Lauf {id} ansehen', 'sieht den Lauf {id} an', 'den Lauf {id} angesehen'],
  lookAtTask: ['Aufgabe {task} ansehen', 'sieht Aufgabe {task} an', 'Aufgabe {task} angesehen'],
  lookUpItself: [
    'nachsehen, wer er selbst ist',
    'sieht nach, wer er selbst ist',
    'nachgesehen, wer er selbst ist',
  ],
  lookUpPerson: ['{person} nachschlagen', 'schlägt {person} nach', '{person} nachgeschlagen'],
  lookWith: ['mit {program} nachsehen', 'sieht mit {program} nach', 'mit {program} nachgesehen'],
  noteTaskFacts: ['Fakten der Aufgabe notieren', 'notiert Fakten der Aufgabe', 'Fakten der Aufgabe notiert'],
  readFile: ['{path} lesen', 'liest {path}', '{path} gelesen'],
  readInstructions: ['die Anweisungen neu lesen', 'liest die Anweisungen neu', 'die Anweisungen neu gelesen'],
  readMessage: ['eine Nachricht lesen', 'liest eine Nachricht', 'eine Nachricht gelesen'],
  readMessages: [
    'Nachrichten in {channel} lesen',
    'liest Nachrichten in {channel}',
    'Nachrichten in {channel} gelesen',
  ],
  readNote: ['die Notiz {name} lesen', 'liest die Notiz {name}', 'die Notiz {name} gelesen'],
  readSkill: ['die Fertigkeit {name} lesen', 'liest die Fertigkeit {name}', 'die Fertigkeit {name} gelesen'],
  readThread: ['einen Thread lesen', 'liest einen Thread', 'einen Thread gelesen'],
  remember: ['etwas in {name} notieren', 'notiert etwas in {name}', 'etwas in {name} notiert'],
  removeServer: [
    'den MCP-Server {name} entfernen',
    'entfernt den MCP-Server {name}',
    'den MCP-Server {name} entfernt',
  ],
  removeSkill: [
    'die Fertigkeit {name} entfernen',
    'entfernt die Fertigkeit {name}',
    'die Fertigkeit {name} entfernt',
  ],
  removeWith: ['mit {program} etwas löschen', 'löscht etwas mit {program}', 'mit {program} etwas gelöscht'],
  runCode: [
    'Code mit den eigenen Werkzeugen ausführen',
    'führt Code mit den eigenen Werkzeugen aus',
    'Code mit den eigenen Werkzeugen ausgeführt',
  ],
  runCommand: ['einen Befehl ausführen', 'führt einen Befehl aus', 'einen Befehl ausgeführt'],
  runProgram: [
    '{title} mit deinen Rechten und ohne Sandbox ausführen',
    'führt {title} mit deinen Rechten aus',
    '{title} mit deinen Rechten ausgeführt',
  ],
  startSubAgent: ['einen Unteragenten starten', 'startet einen Unteragenten', 'einen Unteragenten gestartet'],
  startNamedSubAgent: [
    'den Unteragenten {name} starten',
    'startet den Unteragenten {name}',
    'den Unteragenten {name} gestartet',
  ],
  runScript: [
    'ein Skript ({language}) ausführen, das Werkzeuge aufrufen darf',
    'führt ein Skript ({language}) aus',
    'ein Skript ({language}) ausgeführt',
  ],
  runShellLine: ['eine Shell-Zeile ausführen', 'führt eine Shell-Zeile aus', 'eine Shell-Zeile ausgeführt'],
  runWorkflow: ['einen Workflow ausführen', 'führt einen Workflow aus', 'einen Workflow ausgeführt'],
  runNamedWorkflow: [
    'den Workflow {name} ausführen',
    'führt den Workflow {name} aus',
    'den Workflow {name} ausgeführt',
  ],
  searchFiles: ['{path} durchsuchen', 'durchsucht {path}', '{path} durchsucht'],
  searchMessages: ['die Nachrichten durchsuchen', 'durchsucht die Nachrichten', 'die Nachrichten durchsucht'],
  searchNotes: ['die Notizen durchsuchen', 'durchsucht die Notizen', 'die Notizen durchsucht'],
  sendAnswer: ['die Antwort senden', 'sendet die Antwort', 'die Antwort gesendet'],
  sendFile: ['{path} an {room} senden', 'sendet {path} an {room}', '{path} an {room} gesendet'],
  sendFiles: [
    '{n} Dateien an {room} senden',
    'sendet {n} Dateien an {room}',
    '{n} Dateien an {room} gesendet',
  ],
  sendMessage: [
    'eine Nachricht an {room} senden',
    'sendet eine Nachricht an {room}',
    'eine Nachricht an {room} gesendet',
  ],
  thinkWith: [
    'ab jetzt mit dem Modell {model} denken',
    'denkt ab jetzt mit dem Modell {model}',
    'auf das Modell {model} gewechselt',
  ],
  useTool: ['{tool} nutzen', 'nutzt {tool}', '{tool} genutzt'],
  useToolOn: ['{tool} für {what} nutzen', 'nutzt {tool} für {what}', '{tool} für {what} genutzt'],
  writeFile: ['{path} schreiben', 'schreibt {path}', '{path} geschrieben'],
};

const column = (index: 0 | 1 | 2): HostPart<'actions'> =>
  Object.fromEntries(
    Object.entries(forms).map(([key, all]) => [key, all[index]]),
  ) as unknown as HostPart<'actions'>;

/** Each completes "möchte". */
export const actions = column(0);
export const actionsRunning = column(1);
export const actionsDone = column(2);
