import type { schedules as english } from '../../english/help/schedules.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const startOptions = {
  '--at': 'einmal: "2026-12-24 18:00", "in 2h", "tomorrow 9:00"',
  '--cron': 'wiederholt: "0 9 * * 1-5" ist 9:00 Uhr, Montag bis Freitag',
  '--time-zone': 'des Ausdrucks; sonst die dieses Computers',
  '--file': 'wenn diese Datei oder eine in diesem Ordner entsteht oder sich ändert',
  '--glob': 'nur diese Dateien eines Ordners: "*.csv", "**/*.md"',
  '--watch': 'wenn sich diese Ressource eines MCP-Servers ändert',
  '--server': 'der Server von --watch: sein Name, oder AGENT/NAME für den eines Agenten',
  '--poll': 'wie oft ein Server ohne Abonnements gelesen wird; sonst 60s',
  '--rest': 'warten, bis sich so lange nichts geändert hat; sonst 2s',
  '--task': 'eine Aufgabe starten; {{path}} ist die Datei, {{uri}} die Ressource, die sich geändert hat',
  '--agent': 'der Agent, der sie erledigt; sonst irgendeiner',
  '--priority': 'Höheres kommt zuerst',
  '--to': 'das Ergebnis in diesen Raum schreiben',
  '--workflow': 'stattdessen einen Ablauf starten',
  '--args': 'seine Argumente als JSON-Objekt',
};

export const schedules: Translated<typeof english> = {
  'schedule add': {
    summary: 'Einen Zeitplan anlegen',
    options: {
      ...startOptions,
      '--catch-up': 'verpasste Zeiten einmal nachholen; sonst werden sie nur aufgelistet',
    },
    examples: [
      'An jedem Werktag eine Aufgabe starten',
      'Einmal einen Ablauf starten',
      'Einen Ordner beobachten',
    ],
  },
  'schedule list': {
    summary: 'Alle Zeitpläne auflisten',
    examples: ['Alle Zeitpläne auflisten', sharedExamples.themAsJson, 'Nur ihre Namen ausgeben'],
  },
  'schedule show': {
    summary: 'Einen Zeitplan und seine verpassten Starts zeigen',
    examples: [
      'Einen Zeitplan über seinen Namen zeigen',
      sharedExamples.itAsJson,
      'Einen verpassten Start nachholen',
    ],
  },
  'schedule change': {
    summary: 'Einen Zeitplan ändern, über ID oder Namen',
    options: {
      '--name': 'ein anderer Name',
      ...startOptions,
      '--catch-up': 'verpasste Zeiten einmal nachholen',
      '--no-catch-up': 'verpasste Zeiten nur auflisten',
    },
    examples: [
      'Zu einer anderen Zeit starten',
      'Einen anderen Agenten beauftragen',
      'Verpasste Zeiten einmal nachholen',
    ],
  },
  'schedule pause': {
    summary: 'Einen Zeitplan anhalten',
    examples: [
      'Nichts starten, bis er weiterläuft',
      'Ihn weiterlaufen lassen',
      'Den Zeitplan als JSON ausgeben',
    ],
  },
  'schedule resume': {
    summary: 'Einen Zeitplan von jetzt an weiterlaufen lassen',
    examples: [
      'Einen angehaltenen Zeitplan weiterlaufen lassen',
      'Sehen, wann er als Nächstes startet',
      'Den Zeitplan als JSON ausgeben',
    ],
  },
  'schedule remove': {
    summary: 'Einen Zeitplan entfernen; was er gestartet hat, läuft weiter',
    examples: ['Einen Zeitplan entfernen', 'Ihn stattdessen anhalten', 'Ihn in einem Skript entfernen'],
  },
  'schedule run': {
    summary: 'Einen Zeitplan jetzt starten, neben seinen Zeiten',
    options: {
      '--missed': 'anstelle dieses verpassten Starts, oder mit "latest" des letzten',
    },
    examples: [
      'Ihn jetzt starten',
      'Den letzten verpassten Start nachholen',
      'Einen bestimmten verpassten Start nachholen',
    ],
  },
  'schedule put-away': {
    summary: 'Verpasste Starts aus der Liste entfernen',
    examples: [
      'Die verpassten Starts eines Zeitplans verwerfen',
      'Sie vorher ansehen',
      'Den Zeitplan als JSON ausgeben',
    ],
  },
  'schedule preview': {
    summary: 'Die nächsten Zeiten eines Cron-Ausdrucks ausgeben',
    options: {
      '--time-zone': 'sonst die dieses Computers',
      '--count': 'wie viele Zeiten, höchstens 20',
    },
    examples: [
      'Die nächsten fünf Zeiten ausgeben',
      'Die nächsten zwölf ausgeben',
      'Eine andere Zeitzone verwenden',
    ],
  },
};
