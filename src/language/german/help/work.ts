import type { work as english } from '../../english/help/work.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const turnOption = {
  '--turn': 'alle Änderungen seines Arbeitsgangs oder seiner Aufgabe',
};

export const work: Translated<typeof english> = {
  agentd: {
    summary: 'Die Agenten einer YAML-Datei ausführen, die auf geänderte Inhalte reagieren',
    options: {
      '--poll-interval': 'Sekunden zwischen zwei Aufrufen eines beobachteten Werkzeugs',
      '--json': 'Ereignisse als JSON-Zeilen ausgeben und keine Nachrichten lesen',
    },
    examples: [
      'Die Agenten ausführen und mit ihnen sprechen',
      'Einmal in der Minute nach Änderungen sehen',
      'Sie für ein anderes Programm ausführen',
    ],
  },
  repl: {
    summary: 'Mit einem Agenten einer YAML-Datei sprechen, ohne seine Abonnements',
    options: {
      '--config': 'die YAML-Datei',
    },
    examples: [
      'Mit einem Agenten aus agentd.yaml sprechen',
      'Mit einem Agenten einer anderen Datei sprechen',
      'Die Agenten auch reagieren lassen',
    ],
  },
  'work list': {
    summary: 'Arbeitsgänge aller Agenten oder eines Agenten auflisten, neueste zuerst',
    options: {
      '--in': 'nur dieser Raum, über seine ID',
      '--state': 'running, waiting, held, done, silent, failed, stopped; mehrere mit Kommas',
      '--before': 'nach der letzten Seite weitermachen',
      '--limit': 'wie viele, höchstens 200',
    },
    examples: [
      'Die neuesten Arbeitsgänge auflisten',
      'Fünf Arbeitsgänge eines Agenten auflisten',
      'Arbeitsgänge ohne Ergebnis auflisten',
    ],
  },
  'work show': {
    summary: 'Einen Arbeitsgang zeigen: Anfragen, Aufrufe, Fragen und die Antwort',
    options: {
      '--raw': 'seine aufgezeichneten Ereignisse als JSON-Zeilen ausgeben',
    },
    examples: [
      'Einen Arbeitsgang zeigen',
      'Seine Ereignisse als JSON-Zeilen ausgeben',
      sharedExamples.itAsJson,
    ],
  },
  'undo list': {
    summary: 'Dateiänderungen aller Agenten oder eines Agenten auflisten, neueste zuerst',
    options: {
      '--task': 'nur die Änderungen dieser Aufgabe',
      '--before': 'nach der letzten Seite weitermachen',
      '--limit': 'wie viele, höchstens 200',
    },
    examples: [
      'Die neuesten Dateiänderungen auflisten',
      'Fünf Änderungen eines Agenten auflisten',
      'Die Änderungen einer Aufgabe auflisten',
    ],
  },
  'undo show': {
    summary: 'Eine Änderung als Diff zeigen',
    options: {
      ...turnOption,
    },
    examples: [
      'Zeigen, was ein Aufruf geändert hat',
      'Alle Änderungen seines Arbeitsgangs zeigen',
      sharedExamples.itAsJson,
    ],
  },
  'undo apply': {
    summary: 'Die Dateien wiederherstellen, wie sie vor einer Änderung waren',
    options: {
      ...turnOption,
      '--replace-changed': 'auch Dateien, die seither geändert wurden',
    },
    examples: [
      'Eine Änderung rückgängig machen; seither geänderte Dateien behalten',
      'Alle Änderungen ihres Arbeitsgangs rückgängig machen',
      'Auch seither geänderte Dateien wiederherstellen',
    ],
  },
  'snapshot create': {
    summary: 'Den jetzigen Stand im Arbeitsordner eines Agenten festhalten',
    options: { '--agent': 'der Agent', '--label': 'ein Name dafür' },
    examples: ['Einen Schnappschuss anlegen', 'Einen mit Namen anlegen', sharedExamples.itAsJson],
  },
  'snapshot list': {
    summary: 'Die Schnappschüsse eines Agenten auflisten, neueste zuerst',
    options: {
      '--agent': 'der Agent',
      '--before': 'nach der letzten Seite weitermachen',
      '--limit': 'wie viele, höchstens 200',
    },
    examples: ['Die neuesten Schnappschüsse auflisten', 'Fünf davon auflisten', 'Sie als JSON ausgeben'],
  },
  'snapshot diff': {
    summary: 'Zeigen, was sich seit einem Schnappschuss geändert hat',
    options: { '--agent': 'der Agent', '--until': 'bis zu diesem späteren Schnappschuss statt bis jetzt' },
    examples: [
      'Zeigen, was sich bis jetzt geändert hat',
      'Zwei Schnappschüsse vergleichen',
      sharedExamples.itAsJson,
    ],
  },
  'snapshot restore': {
    summary: 'Einen Arbeitsordner auf einen Schnappschuss zurücksetzen, nach Name oder Kennung',
    options: { '--agent': 'der Agent' },
    examples: [
      'Einen Schnappschuss wiederherstellen; der Stand davor wird auch einer',
      'Einen nach seinem Namen wiederherstellen',
      'Die wiederhergestellten Dateien als JSON ausgeben',
    ],
  },
  'snapshot remove': {
    summary: 'Einen Schnappschuss entfernen; die Dateien bleiben, wie sie sind',
    options: { '--agent': 'der Agent' },
    examples: ['Einen Schnappschuss entfernen', 'Einen nach seinem Namen entfernen', sharedExamples.itAsJson],
  },
  usage: {
    summary: 'Zeigen, was Agenten verbraucht und gekostet haben',
    options: {
      '--days': 'wie viele Tage zurück, bis 366',
    },
    examples: [
      'Den Verbrauch aller Agenten zeigen',
      'Einen Agenten und eine Woche zeigen',
      'Die Kosten von heute ausgeben',
    ],
  },
  budget: {
    summary: 'Budgets eines Agenten oder aller zusammen zeigen oder festlegen',
    options: {
      '--usd-per-day': 'US-Dollar je Tag; "none" entfernt die Grenze',
      '--usd-per-month': 'US-Dollar je Monat',
      '--tokens-per-day': 'Token je Tag',
      '--tokens-per-month': 'Token je Monat',
    },
    examples: [
      'Das Budget aller Agenten zusammen zeigen',
      'Die Kosten aller Agenten begrenzen',
      'Eine Grenze eines Agenten entfernen',
    ],
  },
};
