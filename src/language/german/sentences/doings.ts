import type { HostSentences } from '../../host-sentences.ts';

/** Title of a tool call in the host's forms: before, during and after the call. */
type Doing = readonly [english: string, infinitive: string, present: string, done: string];

const forms: Readonly<Record<string, readonly [running: string, done: string]>> = {
  edit: ['editing', 'edited'],
  forget: ['forgetting', 'forgot'],
  list: ['listing', 'listed'],
  look: ['looking', 'looked'],
  read: ['reading', 'read'],
  change: ['changing', 'changed'],
  remember: ['remembering', 'remembered'],
  remove: ['removing', 'removed'],
  run: ['running', 'ran'],
  search: ['searching', 'searched'],
  send: ['sending', 'sent'],
  use: ['using', 'used'],
  write: ['writing', 'wrote'],
};

/** Verbs missing in `forms` keep one form in all tenses, so their last two fields are empty. */
export const doings: readonly Doing[] = [
  ['begin its next turn anew', 'die nächste Runde von vorn beginnen', '', ''],
  [
    'change with {program}',
    'mit {program} etwas ändern',
    'ändert etwas mit {program}',
    'mit {program} etwas geändert',
  ],
  ['edit its note {name}', 'die Notiz {name} ändern', 'ändert die Notiz {name}', 'die Notiz {name} geändert'],
  ['edit {path}', '{path} ändern', 'ändert {path}', '{path} geändert'],
  [
    'forget its note {name}',
    'die Notiz {name} löschen',
    'löscht die Notiz {name}',
    'die Notiz {name} gelöscht',
  ],
  ['install the MCP server {name}', 'den MCP-Server {name} einrichten', '', ''],
  ['install the skill {name}', 'die Fertigkeit {name} einrichten', '', ''],
  [
    'list its MCP servers',
    'die MCP-Server auflisten',
    'listet die MCP-Server auf',
    'die MCP-Server aufgelistet',
  ],
  ['list its channels', 'die Kanäle auflisten', 'listet die Kanäle auf', 'die Kanäle aufgelistet'],
  ['list its notes', 'die Notizen auflisten', 'listet die Notizen auf', 'die Notizen aufgelistet'],
  [
    'list its skills',
    'die Fertigkeiten auflisten',
    'listet die Fertigkeiten auf',
    'die Fertigkeiten aufgelistet',
  ],
  [
    'list the agents of its channels',
    'die Agenten der Kanäle auflisten',
    'listet die Agenten der Kanäle auf',
    'die Agenten der Kanäle aufgelistet',
  ],
  [
    'list the members of {channel}',
    'die Mitglieder von {channel} auflisten',
    'listet die Mitglieder von {channel} auf',
    'die Mitglieder von {channel} aufgelistet',
  ],
  [
    'list {path}',
    'den Inhalt von {path} auflisten',
    'listet den Inhalt von {path} auf',
    'den Inhalt von {path} aufgelistet',
  ],
  [
    'look up who it is',
    'nachsehen, wer er selbst ist',
    'sieht nach, wer er selbst ist',
    'nachgesehen, wer er selbst ist',
  ],
  ['look up {person}', '{person} nachschlagen', 'schlägt {person} nach', '{person} nachgeschlagen'],
  ['look with {program}', 'mit {program} nachsehen', 'sieht mit {program} nach', 'mit {program} nachgesehen'],
  ['read a message', 'eine Nachricht lesen', 'liest eine Nachricht', 'eine Nachricht gelesen'],
  ['read a thread', 'einen Thread lesen', 'liest einen Thread', 'einen Thread gelesen'],
  [
    'read its instructions again',
    'die Anweisungen neu lesen',
    'liest die Anweisungen neu',
    'die Anweisungen neu gelesen',
  ],
  ['read its note {name}', 'die Notiz {name} lesen', 'liest die Notiz {name}', 'die Notiz {name} gelesen'],
  [
    'read its skill {name}',
    'die Fertigkeit {name} lesen',
    'liest die Fertigkeit {name}',
    'die Fertigkeit {name} gelesen',
  ],
  [
    'read messages of {channel}',
    'Nachrichten in {channel} lesen',
    'liest Nachrichten in {channel}',
    'Nachrichten in {channel} gelesen',
  ],
  ['read {path}', '{path} lesen', 'liest {path}', '{path} gelesen'],
  [
    'remember something in {name}',
    'etwas in {name} notieren',
    'notiert etwas in {name}',
    'etwas in {name} notiert',
  ],
  [
    'remove its MCP server {name}',
    'den MCP-Server {name} entfernen',
    'entfernt den MCP-Server {name}',
    'den MCP-Server {name} entfernt',
  ],
  [
    'remove its skill {name}',
    'die Fertigkeit {name} entfernen',
    'entfernt die Fertigkeit {name}',
    'die Fertigkeit {name} entfernt',
  ],
  [
    'remove with {program}',
    'mit {program} etwas löschen',
    'löscht etwas mit {program}',
    'mit {program} etwas gelöscht',
  ],
  ['run a command', 'einen Befehl ausführen', 'führt einen Befehl aus', 'einen Befehl ausgeführt'],
  [
    'run a shell line',
    'eine Shell-Zeile ausführen',
    'führt eine Shell-Zeile aus',
    'eine Shell-Zeile ausgeführt',
  ],
  [
    'search its messages',
    'die Nachrichten durchsuchen',
    'durchsucht die Nachrichten',
    'die Nachrichten durchsucht',
  ],
  ['search its notes', 'die Notizen durchsuchen', 'durchsucht die Notizen', 'die Notizen durchsucht'],
  ['search {path}', '{path} durchsuchen', 'durchsucht {path}', '{path} durchsucht'],
  [
    'send a message to {room}',
    'eine Nachricht an {room} senden',
    'sendet eine Nachricht an {room}',
    'eine Nachricht an {room} gesendet',
  ],
  ['think with the model {model} from now on', 'ab jetzt mit dem Modell {model} denken', '', ''],
  [
    'use {tool} on {what}',
    '{tool} für {what} nutzen',
    'nutzt {tool} für {what}',
    '{tool} für {what} genutzt',
  ],
  ['use {tool}', '{tool} nutzen', 'nutzt {tool}', '{tool} genutzt'],
  ['write {path}', '{path} schreiben', 'schreibt {path}', '{path} geschrieben'],
];

function inAllTimes([english, infinitive, present, done]: Doing): [string, string][] {
  const [verb = '', ...rest] = english.split(' ');
  const verbs = forms[verb];
  const wanted: [string, string] = [`wants to ${english}`, `möchte ${infinitive}`];
  if (!verbs) return [wanted, [english, infinitive]];
  const behind = rest.join(' ');
  return [
    wanted,
    [`did not ${english}`, `nicht getan: ${infinitive}`],
    [`${verbs[1]} ${behind}`, done],
    [`${verbs[0]} ${behind}`, present],
    [english, infinitive],
  ];
}

export const doingSentences: HostSentences = Object.fromEntries([
  // "read" is also the past tense; then it is shown in its finished form.
  ...doings.flatMap(inAllTimes),
  ...doings.filter(([english]) => english.startsWith('read ')).map(([english, , , done]) => [english, done]),
]);

export const activitySentences: HostSentences = {
  '{=doing} for #{room}': '{doing}, für #{room}',
  '{=doing} for @{person}': '{doing}, für @{person}',
  'waiting for you: {=doing}': 'wartet auf dich: {doing}',
  'waiting {n} s to try again: {~why}': 'versucht es in {n} s wieder: {why}',
  'waiting to try again: {~why}': 'versucht es gleich wieder: {why}',
  'answering in #{room}': 'antwortet in #{room}',
  'answering @{person}': 'antwortet @{person}',
};
