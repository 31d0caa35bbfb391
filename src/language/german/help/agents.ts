import type { agents as english } from '../../english/help/agents.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const agents: Translated<typeof english> = {
  'agent list': {
    summary: 'Alle Agenten mit ihrem Zustand auflisten',
    options: {
      '--state': 'nur Agenten in diesem Zustand',
      '--sort': 'die Reihenfolge; das Neueste oder Größte kommt zuerst',
    },
    examples: [
      'Alle Agenten auflisten',
      'Agenten mit einem Fehler auflisten',
      'Den Agenten ausgeben, der heute am meisten gekostet hat',
    ],
  },
  'agent show': {
    summary: 'Einen Agenten zeigen',
    examples: ['Einen Agenten zeigen', 'Alle Felder als JSON ausgeben', 'Seinen Ordner ausgeben'],
  },
  'agent create': {
    summary: 'Einen Agenten anlegen',
    options: {
      '--id': 'seine ID, zugleich der Name seines Ordners',
      '--profile': 'seine ganze profile.md',
      '--runtime': 'Art seiner Laufzeit',
      '--server': 'sein Puffo-Server',
      '--no-register': 'nur die Dateien anlegen',
      '--no-mention': 'nicht auf Erwähnungen reagieren',
      '--no-dm': 'nicht auf Direktnachrichten reagieren',
    },
    examples: [
      'Einen Agenten mit dem voreingestellten Modell anlegen',
      'Das Modell wählen und nach dem Schlüssel gefragt werden',
      'Ihm eine Seele und ein Bild geben',
    ],
  },
  'agent edit': {
    summary: 'Die Seele eines Agenten in deinem Editor oder Teile seines Profils ändern',
    options: {
      '--config': 'stattdessen seine agent.yml bearbeiten',
    },
    examples: [
      'Seine Seele bearbeiten, den Text in profile.md',
      'Seine agent.yml bearbeiten',
      'Teile ohne Editor ändern',
    ],
  },
  'agent profile': {
    summary: 'Name, Bild, Rolle und Seele eines Agenten zeigen oder ändern',
    examples: ['Das Profil zeigen', 'Den Namen ändern', 'Die Seele durch eine Datei ersetzen'],
  },
  'agent runtime': {
    summary: 'Zeigen oder festlegen, welches Modell ein Agent hat und wann er antwortet',
    options: {
      '--kind': 'Art seiner Laufzeit',
      '--allowed-tools': 'Muster, außerhalb von Klammern durch Kommas getrennt',
      '--docker-image': 'Image für cli-docker',
      '--permission-mode':
        'eines Programms: bypassPermissions (fragt nach deinen Regeln), acceptEdits, plan oder dontAsk',
      '--max-turns': 'Modellanfragen in einem Arbeitsgang von sdk-local, mindestens 1',
      '--context-window': 'Kontextfenster seines Modells; „auto“ für das des Anbieters',
      '--max-output': 'längste Antwort seines Modells, oder „auto“',
      '--temperature': '0 bis 2, oder „auto“',
      '--native-tools': 'off: Sein Modell schreibt Werkzeugaufrufe in seinen Text',
      '--price': 'Dollar je Million Token, auch für Lesen und Schreiben des Caches; oder „auto“',
      '--on-mention': 'auf Erwähnungen antworten',
      '--on-dm': 'auf Direktnachrichten antworten',
      '--hold-first-contact': 'Direktnachrichten neuer Leute freigeben',
      '--channel': 'wann er in diesem Kanal antwortet',
    },
    examples: ['Die Einstellungen zeigen', 'Ein anderes Modell wählen', 'Nur in einem Kanal antworten'],
  },
  'agent rename': {
    summary: 'Den Namen ändern, den andere sehen',
    examples: ['Einen Agenten umbenennen', sharedExamples.agentAsJson, 'Alle Namen sehen'],
  },
  'agent pause': {
    summary: 'Agenten pausieren',
    examples: [
      'Einen Agenten nichts beantworten lassen',
      'Zwei Agenten pausieren',
      sharedExamples.agentAsJson,
    ],
  },
  'agent resume': {
    summary: 'Pausierte Agenten fortsetzen',
    examples: ['Einen Agenten fortsetzen', 'Zwei Agenten fortsetzen', sharedExamples.agentAsJson],
  },
  'agent restart': {
    summary: 'Einen Agenten neu starten',
    examples: [
      'Einen Agenten nach einem Fehler neu starten',
      'Sehen, woran er gescheitert ist',
      sharedExamples.agentAsJson,
    ],
  },
  'agent stop': {
    summary: 'Den laufenden Arbeitsgang eines Agenten beenden',
    examples: [
      'Beenden, was er gerade tut',
      'Ihn von jetzt an nichts mehr beantworten lassen',
      'Seinen Arbeitsgang in einem Skript beenden',
    ],
  },
  'agent tools': {
    summary: 'Die Werkzeuge eines Agenten auflisten und warum er sie hat',
    examples: [
      'Alle Werkzeuge auflisten',
      sharedExamples.themAsJson,
      'Die Ordner ausgeben, in die er schreiben darf',
    ],
  },
  'agent share': {
    summary: 'Zeigen oder festlegen, was ein Agent einem Raum ohne Rückfrage sagen darf',
    options: {
      '--with': '#kanal, Space/#kanal, @person oder ID des Raums',
      '--what': 'workspace, notes, tasks, workflows, settings, chat, #kanal, @person; mit Kommas',
      '--list': 'auflisten, was er sagen darf',
      '--revoke': 'eine Berechtigung entfernen',
    },
    examples: [
      'Auflisten, was er sagen darf',
      'Ihn Dateien und Notizen in einem Kanal verwenden lassen',
      'Eine Berechtigung entfernen',
    ],
  },
  'agent register': {
    summary: 'Einem Agenten eine Identität an deinem Server geben',
    examples: [
      'Einen Agenten ohne Identität registrieren',
      sharedExamples.agentAsJson,
      'Danach seine Kennung sehen',
    ],
  },
  'agent autoaccept': {
    summary: 'Zeigen oder festlegen, ob der Server deine Einladungen für einen Agenten sofort annimmt',
    options: {
      '--space': 'in diesem Space',
      '--owner': 'Einladungen von dir, seinem Besitzer',
    },
    examples: [
      'Die Einstellung zeigen',
      'Deine Einladungen sofort annehmen',
      'Den Agenten darüber entscheiden lassen',
    ],
  },
  'agent export': {
    summary: 'Einen Agenten in eine Datei oder einen Ordner schreiben',
    options: {
      '--passphrase': 'eines verschlüsselten Pakets: „-“ liest die Standardeingabe, die Option allein fragt',
      '--folder': 'einen Ordner statt eines Zip-Archivs schreiben',
      '--force': 'eine Datei dieses Namens ersetzen',
    },
    examples: [
      'Ein verschlüsseltes Paket mit seinen Schlüsseln schreiben',
      'Ein Archiv ohne Geheimnisse schreiben',
      'Einen Ordner ohne Geheimnisse schreiben',
    ],
  },
  'agent archive': {
    summary: 'Agenten archivieren: ihre Identitäten beenden und ihre Dateien behalten',
    options: {
      '--keep-identity': 'er macht anderswo weiter: Spaces nicht verlassen, Identität nicht beenden',
    },
    examples: [
      'Einen Agenten archivieren',
      'Zwei Agenten archivieren',
      'Den Ordner mit seinen Dateien ausgeben',
    ],
  },
  'agent delete': {
    summary: 'Einen Agenten und alle seine Dateien löschen',
    options: {
      '--keep-identity': 'er macht anderswo weiter: Spaces nicht verlassen, Identität nicht beenden',
    },
    examples: [
      'Einen Agenten nach einer Rückfrage löschen',
      'Ihn ohne Rückfrage löschen',
      'Stattdessen seine Dateien behalten',
    ],
  },
  'agent refresh-ping': {
    summary: 'Die Anmeldung beim Modellanbieter eines Agenten erneuern',
    examples: ['Die Anmeldung erneuern', sharedExamples.resultAsJson, 'Alle Anmeldungen sehen'],
  },
  'agent reset-primer': {
    summary: 'Kennels eigene Anleitung wiederherstellen, den Text, den alle Agenten lesen',
    examples: [
      'Die Anleitung wiederherstellen',
      'Einen Agenten nennen, wie bei puffo-agent',
      sharedExamples.resultAsJson,
    ],
  },
};
