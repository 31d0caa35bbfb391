import type { system as english } from '../../english/help/system.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const system: Translated<typeof english> = {
  start: {
    summary: 'Kennel in diesem Terminal ausführen',
    options: {
      '--demo': 'die Demo ohne Rückfrage anlegen',
      '--no-demo': 'ohne Rückfrage leer beginnen',
      '--no-web': 'die Seite nicht auf diesem Computer bereitstellen',
    },
    examples: [
      'Kennel ausführen; beim ersten Mal fragt es, wie du beginnen willst',
      'Es mit zwei vorbereiteten Agenten ausprobieren',
      'Es für ein Programm ausführen, ohne Demo und Seite',
    ],
  },
  stop: {
    summary: 'Das laufende Kennel beenden',
    options: {
      '--timeout': 'wie viele Sekunden gewartet wird',
    },
    examples: [
      'Kennel nach seinen laufenden Schritten beenden',
      'Höchstens fünf Sekunden warten',
      sharedExamples.resultAsJson,
    ],
  },
  status: {
    summary: 'Zeigen, was läuft',
    examples: [
      'Den Zustand von Kennel zeigen',
      sharedExamples.itAsJson,
      'Ausgeben, wie viele Agenten dich brauchen',
    ],
  },
  open: {
    summary: 'Einen Link auf die Seite ausgeben, der einmal gilt',
    examples: ['Einen Link ausgeben', sharedExamples.itAsJson, 'Ihn in einem Browser öffnen'],
  },
  unlock: {
    summary: 'Die Seite und deine Geheimnisse entsperren oder die erste Passphrase festlegen',
    examples: [
      'Die Passphrase eintippen',
      'Die Seite wieder sperren',
      'Die Passphrase aus KENNEL_PASSPHRASE nehmen',
    ],
  },
  lock: {
    summary: 'Die Seite in jedem Browser sperren; Agenten arbeiten weiter',
    examples: ['Die Seite sperren', 'Sie entsperren', 'Ausgeben, wie viele Browser angemeldet sind'],
  },
  'sign-out': {
    summary: 'Alle Browser abmelden',
    examples: [
      'Alle Browser abmelden',
      'Einen Link ausgeben, um sich wieder anzumelden',
      'Ausgeben, wie viele angemeldet waren',
    ],
  },
  doctor: {
    summary: 'Diesen Computer und den Datenordner prüfen',
    examples: ['Alles prüfen', 'Die Prüfungen als JSON ausgeben', 'Nur Probleme ausgeben'],
  },
  attach: {
    summary: 'Die Sitzung eines Agenten in seinem Programm benutzen, in diesem Terminal',
    examples: [
      'Die Sitzung von guide fortsetzen',
      'Die Programme von Agenten auflisten',
      'Die Ausgabe eines Programms lesen',
    ],
  },
  'ps list': {
    summary: 'Die laufenden Programme der Agenten auflisten, mit Speicher, Rechenzeit und Dateien',
    examples: ['Sie auflisten', sharedExamples.themAsJson, 'Eines beenden'],
  },
  'ps stop': {
    summary:
      'Das Programm eines Agenten mit allen Kindprozessen beenden; die nächste Nachricht startet es wieder',
    examples: [
      'Das Programm mit dieser Prozess-ID beenden',
      'Die Prozess-IDs auflisten',
      'Es in einem Skript beenden',
    ],
  },
  'ps restart': {
    summary: 'Das Programm eines Agenten beenden; sein offener Zug geht in einem neuen Prozess weiter',
    examples: [
      'Das Programm mit dieser Prozess-ID neu starten',
      'Die Prozess-IDs auflisten',
      'Es in einem Skript neu starten',
    ],
  },
  'ps logs': {
    summary: 'Ausgeben, was das neueste Programm eines Agenten als Fehler schrieb, ohne Geheimnisse',
    examples: ['Die letzten Zeilen ausgeben', sharedExamples.itAsJson, 'Das Log von Kennel über den Agenten'],
  },
  'runtimes test': {
    summary:
      'Prüfen, wonach die installierte Version eines Kommandozeilen-Agenten fragt, mit einem Skript statt eines Modells in einem leeren Ordner',
    examples: ['Claude Code prüfen', 'Die Ergebnisse ansehen', 'In einem Skript prüfen'],
  },
  'runtimes list': {
    summary: 'Die Kommandozeilen-Agenten dieses Computers auflisten, mit Version und Anmeldung',
    examples: [
      'Sie auflisten, und wie man die anderen installiert',
      sharedExamples.themAsJson,
      'Einen Agenten mit einem davon ausführen',
    ],
  },
  'images list': {
    summary: 'Die Images für Kommandozeilen-Agenten auflisten, und die Container-Engines dieses Computers',
    examples: ['Sie auflisten', sharedExamples.themAsJson, 'Einen Agenten in einem Container laufen lassen'],
  },
  'images build': {
    summary:
      'Das Image eines Kommandozeilen-Agenten bauen, mit Node.js aus einer Registry und dem Programm von npm',
    options: {
      '--base': 'Image mit Node.js und apt anstelle des üblichen',
      '--recipe': 'Containerfile anstelle des eigenen von Kennel',
    },
    examples: ['Das Image von pi bauen', 'Mit einem eigenen Image beginnen', 'Es nach eigenem Rezept bauen'],
  },
  'images pull': {
    summary: 'Ein Image aus seiner Registry holen',
    examples: ['Es holen', 'Einen Agenten darin laufen lassen', 'Das Ergebnis als JSON ausgeben'],
  },
  'images import': {
    summary: 'Ein Image ohne Netz aus einer Datei lesen',
    options: { '--name': 'die Datei ist ein Archiv eines Wurzelordners und bekommt diesen Namen' },
    examples: [
      'Eine Datei von „docker save“ lesen',
      'Ein Archiv eines Wurzelordners lesen',
      'Das Ergebnis als JSON ausgeben',
    ],
  },
  config: {
    summary: 'Die Vorgaben für neue Agenten zeigen oder festlegen',
    options: {
      '--default-provider': 'Anbieter für Agenten, die keinen nennen',
      '--provider': 'der Anbieter, den die nächsten Optionen betreffen',
      '--model': 'sein voreingestelltes Modell',
      '--base-url': 'seine Adresse',
      '--api-key': 'sein Schlüssel: „-“ liest die Standardeingabe, die Option allein fragt',
    },
    examples: [
      'Nach Anbieter, Schlüssel und Modell gefragt werden',
      'Einen Schlüssel aus einer Datei speichern',
      'Den voreingestellten Anbieter wählen',
    ],
  },
  'config get': {
    summary: 'Eine Einstellung ausgeben',
    examples: [
      'Den voreingestellten Anbieter ausgeben',
      'Das voreingestellte Modell eines Anbieters ausgeben',
      'Ausgeben, ob ein Schlüssel gespeichert ist',
    ],
  },
  'config set': {
    summary:
      'Eine Einstellung festlegen; einen Schlüssel fragt Kennel ab oder liest ihn von der Standardeingabe',
    examples: [
      'Das voreingestellte Modell eines Anbieters wählen',
      'Einen Schlüssel aus einer Datei speichern',
      'Die Ruhezeit der Nacht auf Dienstag festlegen; "none" entfernt sie',
    ],
  },
  'config list': {
    summary: 'Alle Einstellungen ausgeben, die einen Wert haben',
    examples: [
      'Alle Einstellungen ausgeben',
      sharedExamples.themAsJson,
      'Die voreingestellten Modelle ausgeben',
    ],
  },
  'auth login': {
    summary: 'Anmelden, oder einen Schlüssel angeben, wenn der Anbieter keine Anmeldung hat',
    options: {
      '--device': 'mit einem Code, den du an einem anderen Computer eintippst',
      '--api-key': 'einen Schlüssel angeben: „-“ liest die Standardeingabe, die Option allein fragt',
    },
    examples: [
      'Mit einem Browser anmelden oder nach einem Schlüssel gefragt werden',
      'Einen Schlüssel aus einer Datei lesen',
      'Mit einem Code an einem anderen Computer anmelden',
    ],
  },
  'auth status': {
    summary: 'Die Anbieter und ihre Schlüssel oder Anmeldungen auflisten',
    examples: ['Alle Anbieter auflisten', sharedExamples.themAsJson, 'Die ausgeben, die bereit sind'],
  },
  'auth logout': {
    summary: 'Abmelden und den Schlüssel löschen',
    examples: ['Den Schlüssel eines Anbieters löschen', 'Das Ergebnis sehen', sharedExamples.resultAsJson],
  },
  logs: {
    summary: 'Das Protokoll von Kennel ausgeben, ganz oder für einen Agenten',
    options: {
      '--follow': 'mit neuen Zeilen weitermachen',
      '--lines': 'wie viele Zeilen',
    },
    examples: [
      'Die letzten 100 Zeilen ausgeben',
      'Die Zeilen über einen Agenten verfolgen',
      'Nur Fehler ausgeben',
    ],
  },
  backup: {
    summary: 'Den ganzen Datenordner kopieren, auch während Kennel läuft',
    examples: [
      'Eine Kopie in deinem persönlichen Ordner anlegen',
      'Den Ordner wählen',
      'Nur den Ordner ausgeben',
    ],
  },
  restore: {
    summary: 'Den Datenordner durch eine Sicherung ersetzen, während Kennel beendet ist',
    examples: [
      'Eine Sicherung nach einer Rückfrage wiederherstellen',
      'Sie ohne Rückfrage wiederherstellen',
      'Vorher Kennel beenden',
    ],
  },
  'service install': {
    summary: 'Kennel starten, sobald du dich anmeldest, auch ohne Bildschirm',
    options: {
      '--print': 'nur ausgeben, was geschrieben würde',
      '--no-start': 'schreiben, aber nicht starten',
    },
    examples: [
      'Den Dienst installieren und starten',
      'Die Datei für systemd oder launchd ausgeben',
      'Ihn installieren, ohne ihn zu starten',
    ],
  },
  'service remove': {
    summary: 'Den Dienst beenden und entfernen',
    examples: [
      'Den Dienst beenden und entfernen',
      sharedExamples.resultAsJson,
      'Kennel stattdessen in einem Terminal ausführen',
    ],
  },
  'demo remove': {
    summary: 'Alles löschen, was die Demo angelegt hat',
    examples: [
      'Die Demo nach einer Rückfrage löschen',
      'Sie in einem Skript löschen',
      'Eine neue Demo anlegen',
    ],
  },
  'check-update': {
    summary: 'Nach einer neueren Version von Kennel suchen',
    examples: [
      'Nach einer neueren Version suchen',
      sharedExamples.resultAsJson,
      'Ausgeben, ob es eine neuere Version gibt',
    ],
  },
  completion: {
    summary: 'Das Vervollständigungsskript einer Shell ausgeben',
    examples: [
      'Befehle in bash vervollständigen',
      'Befehle in zsh vervollständigen, wenn fpath ~/.zfunc enthält',
      'Befehle in fish vervollständigen',
    ],
  },
  version: {
    summary: 'Die Version ausgeben',
    examples: ['Die Version ausgeben', sharedExamples.itAsJson, 'Nur die Nummer ausgeben'],
  },
};
