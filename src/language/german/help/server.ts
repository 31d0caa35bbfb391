import type { server as english } from '../../english/help/server.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const server: Translated<typeof english> = {
  'operator sign-up': {
    summary: 'Einem Puffo-Server mit einem Einladungscode beitreten',
    options: {
      '--server': 'Adresse des Servers',
      '--invite': 'Einladungscode: „-“ liest die Standardeingabe; sonst fragt Kennel danach',
      '--username': 'der Anfang deiner Kennung',
    },
    examples: [
      'Einem Server beitreten; Kennel fragt nach dem Einladungscode',
      'Den Einladungscode aus einer Datei lesen',
      'Nach einer Unterbrechung weitermachen',
    ],
  },
  'operator resume': {
    summary: 'Eine unterbrochene Anmeldung fortsetzen',
    options: {
      '--drop': 'sie aufgeben und ihre Schlüssel löschen',
    },
    examples: ['Die Anmeldung fortsetzen', 'Sie aufgeben', 'Deine Kennung als JSON ausgeben'],
  },
  'operator show': {
    summary: 'Dein Konto und deinen Fingerabdruck zeigen',
    examples: ['Dein Konto zeigen', sharedExamples.itAsJson, 'Nur deinen Fingerabdruck ausgeben'],
  },
  'operator enrol': {
    summary: 'Dieses Kennel zu einem weiteren Gerät deines Kontos machen',
    options: {
      '--server': 'Adresse des Servers',
      '--yes': 'ohne Rückfrage, wessen Gerät es wird',
    },
    examples: ['Einen Code für dein anderes Gerät zeigen', 'Ihn dort eingeben', 'Alle deine Geräte sehen'],
  },
  'operator approve': {
    summary: 'Den Code eingeben, den dein neues Gerät zeigt',
    options: {
      '--yes': 'du hast die Wörter verglichen: ohne Rückfrage',
    },
    examples: [
      'Die Wörter vergleichen, dann das Gerät hinzufügen',
      'Es ohne Rückfrage hinzufügen',
      'Alle deine Geräte sehen',
    ],
  },
  'operator devices': {
    summary: 'Die Geräte deines Kontos auflisten',
    examples: ['Alle Geräte auflisten', sharedExamples.themAsJson, 'Eines widerrufen'],
  },
  'operator revoke': {
    summary: 'Ein Gerät deines Kontos widerrufen',
    examples: ['Ein verlorenes Gerät widerrufen', 'Es ohne Rückfrage widerrufen', sharedExamples.findId],
  },
  relay: {
    summary: 'Deinen eigenen Team-Server betreiben',
    options: {
      '--data': 'Ordner seiner Daten',
      '--listen': 'Adresse, an der er erreichbar ist',
      '--host': 'ein weiterer Name, unter dem Clients ihn erreichen; andere weist er ab',
      '--max-agents': 'Agenten eines Betreibers (sonst 2000)',
      '--max-spaces': 'Spaces eines Betreibers und seiner Agenten (sonst 200)',
      '--max-files': 'Dateien eines Betreibers und seiner Agenten (sonst 20000)',
      '--max-file-mib': 'MiB dieser Dateien (sonst 4096)',
      '--max-link-sign-ups': 'Leute, die sich über die Einladungslinks einer Person anmelden (sonst 1000)',
    },
    examples: [
      'Einen Server für diesen Computer betreiben',
      'Ein Netzwerk bedienen',
      'Einen Einladungscode für jemanden erstellen',
    ],
  },
  'relay invite': {
    summary: 'Einen Einladungscode erstellen',
    options: {
      '--data': 'Datenordner des Relay-Servers; sonst der des eingebauten',
    },
    examples: [
      'Einen Code für den eingebauten Relay-Server erstellen',
      'Einen für einen anderen Relay-Server erstellen',
      'Nur den Code ausgeben',
    ],
  },
  'pairing show': {
    summary: 'Das gekoppelte Gerät zeigen',
    examples: ['Zeigen, welches Gerät gekoppelt ist', sharedExamples.itAsJson, 'Die Kopplung beenden'],
  },
  'pairing open': {
    summary: 'Fünf Minuten lang einem Gerät die Kopplung erlauben',
    options: {
      '--device': 'nur dieses Gerät; für Clients, die den Code nicht senden können',
    },
    examples: [
      'Den Code für ein Gerät ausgeben',
      'Ein bestimmtes Gerät zulassen',
      'Adresse und Code als JSON ausgeben',
    ],
  },
  'pairing unpair': {
    summary: 'Die Kopplung beenden',
    examples: ['Die Kopplung beenden', 'Vorher das gekoppelte Gerät sehen', 'Die Kennung als JSON ausgeben'],
  },
  'api status': {
    summary: 'Zeigen, wo die Brücke erreichbar ist und für welches Gerät',
    examples: ['Den Zustand der Brücke zeigen', sharedExamples.itAsJson, 'Nur ihre Adresse ausgeben'],
  },
  'api data': {
    summary: 'Ausgeben, wie ein Werkzeug die Nachrichten eines Agenten lesen kann',
    options: {
      '--tcp': 'über einen Port dieses Computers statt über einen Unix-Socket',
    },
    examples: ['Socket und Token ausgeben', 'Adresse und Token ausgeben', sharedExamples.themAsJson],
  },
  acp: {
    summary: 'Auf Standardein- und -ausgabe ACP sprechen, als ein Agent',
    options: {
      '--agent': 'der Agent, mit dem der Editor spricht',
    },
    examples: [
      'Der Befehl für die Einstellungen eines Editors',
      'Sehen, welche Ordner der Agent benutzen darf',
      'Seine Unterhaltungen auflisten, auch die aus Editoren',
    ],
  },
  mcp: {
    summary: 'Auf Standardein- und -ausgabe MCP sprechen, als ein Agent',
    options: {
      '--agent': 'der Agent, als der das Programm arbeitet',
      '--http': 'stattdessen Adresse und Token für Streamable HTTP ausgeben',
    },
    examples: [
      'Der Befehl für die Einstellungen eines MCP-Clients',
      'Adresse und Token für HTTP ausgeben',
      sharedExamples.themAsJson,
    ],
  },
  'mcp list': {
    summary: 'Die MCP-Server der Agenten auflisten',
    options: { '--agent': 'Server, die dieser Agent hat' },
    examples: [
      'Die Server aller Agenten auflisten',
      'Die eines Agenten auflisten',
      sharedExamples.themAsJson,
    ],
  },
  'mcp add': {
    summary: 'Einen MCP-Server hinzufügen: ein Programm oder eine Adresse',
    options: {
      '--agent': 'nur für diesen Agenten',
      '--url': 'Adresse eines Servers im Netz',
      '--env': 'Variable des Programms',
      '--header': 'Header der Anfragen',
      '--secret': 'Variable oder Header, deren Wert erfragt und im Tresor verwahrt wird',
      '--allow-tool': 'Werkzeug, das Agenten bekommen; „*“ steht für beliebigen Text',
      '--deny-tool': 'Werkzeug, das Agenten nicht bekommen',
      '--replace': 'anstelle eines gleichen Namens',
      '--yes': 'den Befehl ohne Frage bestätigen',
    },
    examples: [
      'Ein Programm für alle Agenten hinzufügen',
      'Eine Adresse für einen Agenten hinzufügen',
      'Einen Schlüssel im Tresor verwahren',
    ],
  },
  'mcp accept': {
    summary: 'Ansehen und bestätigen, was ein Server ausführt oder wie sich seine Werkzeuge änderten',
    options: {
      '--agent': 'ein Server dieses Agenten',
      '--yes': 'ohne Frage',
    },
    examples: [
      'Einen Server bestätigen',
      'Einen Server eines Agenten bestätigen',
      'In einem Skript bestätigen',
    ],
  },
  'mcp test': {
    summary: 'Einen MCP-Server starten und seine Werkzeuge zählen',
    options: { '--agent': 'ein Server dieses Agenten' },
    examples: ['Einen Server testen', 'Einen Server eines Agenten testen', 'Das Ergebnis als JSON ausgeben'],
  },
  'mcp inspect': {
    summary: 'Werkzeuge, Aufrufe und Protokoll eines MCP-Servers zeigen',
    options: { '--agent': 'ein Server dieses Agenten' },
    examples: ['Einen Server zeigen', 'Einen Server eines Agenten zeigen', sharedExamples.itAsJson],
  },
  'mcp remove': {
    summary: 'Einen MCP-Server entfernen',
    options: { '--agent': 'ein Server dieses Agenten' },
    examples: ['Einen Server entfernen', 'Einen Server eines Agenten entfernen', 'In einem Skript entfernen'],
  },
  'mcp import': {
    summary: 'MCP-Server aus den Einstellungen von claude, codex oder vscode importieren',
    options: {
      '--agent': 'nur für diesen Agenten',
      '--yes': 'ohne Frage',
    },
    examples: [
      'Die Server von Claude importieren',
      'Aus einer bestimmten Datei importieren',
      'In einem Skript importieren',
    ],
  },
  'proxy token': {
    summary: 'Ein Token für einen anderen Computer erstellen; es wird nur einmal gezeigt',
    examples: ['Ein Token erstellen', 'Token und Adresse als JSON ausgeben', 'Es widerrufen'],
  },
  'proxy tokens': {
    summary: 'Alle Token auflisten',
    examples: ['Die Namen aller Token auflisten', sharedExamples.themAsJson, 'Eines widerrufen'],
  },
  'proxy revoke': {
    summary: 'Ein Token widerrufen',
    examples: [
      'Das Token eines Computers widerrufen',
      'Alle Token auflisten',
      'Es in einem Skript widerrufen',
    ],
  },
};
