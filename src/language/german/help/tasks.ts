import type { tasks as english } from '../../english/help/tasks.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

const placeOptions = {
  '--priority': 'Höheres kommt zuerst; sonst 0',
  '--due': 'nicht vor: "2026-12-24 18:00", "in 2h", "tomorrow 9:00"; "none" für sofort',
};

export const tasks: Translated<typeof english> = {
  'task add': {
    summary: 'Eine Aufgabe anlegen',
    options: {
      '--agent': 'der Agent, der sie erledigt; sonst irgendeiner',
      ...placeOptions,
      '--key': 'Idempotenzschlüssel: Eine zweite Aufgabe damit ist die erste',
      '--to': 'das Ergebnis in diesen Raum schreiben',
      '--worktree': 'on: in einem eigenen Git-Arbeitsbaum arbeiten; sonst wie beim Agenten eingestellt',
      '--wait': 'auf ihr Ende warten und das Ergebnis ausgeben',
    },
    examples: [
      'Eine Aufgabe für irgendeinen Agenten anlegen',
      'Auf einen Agenten warten und das Ergebnis ausgeben',
      'Später anfangen, mit einer Kostengrenze',
    ],
  },
  'task list': {
    summary: 'Aufgaben auflisten',
    options: {
      '--status': 'nur Aufgaben in diesem Zustand',
      '--project': 'nur Aufgaben dieses Projekts',
      '--agent': 'nur Aufgaben für diesen Agenten',
      '--text': 'nur Aufgaben mit diesem Text in Ziel, Ergebnis oder Projekt',
      '--sort': 'die Reihenfolge; das Neueste oder Größte kommt zuletzt',
      '--archived': 'nur archivierte Aufgaben; --text durchsucht sie ohnehin',
      '--before': 'älter als diese Aufgabe',
      '--limit': 'wie viele, höchstens 500',
    },
    examples: [
      'Die neuesten Aufgaben auflisten',
      'Aufgaben auflisten, die auf dich warten',
      'Die Aufgaben eines Agenten als JSON ausgeben',
    ],
  },
  'task show': {
    summary: 'Eine Aufgabe und ihr Ergebnis zeigen',
    examples: ['Aufgabe 12 zeigen', 'Alle Felder als JSON ausgeben', 'Nur ihr Ergebnis ausgeben'],
  },
  'task status': {
    summary: 'Die Aufgaben in jedem Zustand zählen',
    examples: ['Alle Aufgaben zählen', 'Die Zahlen als JSON ausgeben', 'Ausgeben, wie viele auf dich warten'],
  },
  'task logs': {
    summary: 'Schritt für Schritt ausgeben, was für eine Aufgabe getan wurde',
    examples: [
      'Alle Schritte von Aufgabe 12 ausgeben',
      sharedExamples.themAsJson,
      'Stattdessen eine laufende Aufgabe verfolgen',
    ],
  },
  'task stream': {
    summary: 'Eine Aufgabe bis zu ihrem Ende verfolgen',
    examples: [
      'Die Schritte von Aufgabe 12 ausgeben, sobald sie geschehen',
      'Eine Zeile JSON je Änderung ausgeben',
      'Nur weitermachen, wenn sie gelingt',
    ],
  },
  'task run': {
    summary: 'Jetzt nach Aufgaben sehen oder eine als nächste starten',
    options: {
      '--task': 'diese als nächste starten, auch vor ihrer Zeit',
      '--wait': 'sie bis zu ihrem Ende verfolgen',
    },
    examples: [
      'Nach fälligen Aufgaben sehen',
      'Aufgabe 12 als nächste starten',
      'Sie starten und auf ihr Ende warten',
    ],
  },
  'task pause': {
    summary: 'Eine Aufgabe nach ihrem laufenden Schritt anhalten',
    examples: ['Aufgabe 12 anhalten', 'Sie weitermachen lassen', sharedExamples.taskAsJson],
  },
  'task resume': {
    summary: 'Eine angehaltene Aufgabe weitermachen lassen',
    examples: ['Aufgabe 12 weitermachen lassen', 'Angehaltene Aufgaben auflisten', sharedExamples.taskAsJson],
  },
  'task cancel': {
    summary: 'Eine Aufgabe jetzt beenden und behalten, was sie getan hat',
    examples: ['Aufgabe 12 abbrechen', 'Sie doch weitermachen lassen', sharedExamples.taskAsJson],
  },
  'task retry': {
    summary: 'Eine gescheiterte Aufgabe nach ihrem letzten Schritt fortsetzen',
    examples: ['Aufgabe 12 fortsetzen', 'Gescheiterte Aufgaben auflisten', sharedExamples.taskAsJson],
  },
  'task fork': {
    summary: 'Eine Aufgabe anlegen, die nach einem Schritt einer anderen beginnt',
    options: {
      '--after': 'der letzte gemeinsame Schritt; 0 beginnt von vorn',
    },
    examples: [
      'Aufgabe 12 als weitere Aufgabe von vorn beginnen',
      'Nach ihrem dritten Schritt weitermachen',
      'Die Nummer eines Schritts finden',
    ],
  },
  'task settle': {
    summary: 'Sagen, ob ein unterbrochener Schritt geschehen ist',
    examples: [
      'Schritt 3 ist geschehen: danach weitermachen',
      'Schritt 3 ist nicht geschehen: ihn wiederholen',
      'Erst die Schritte ansehen',
    ],
  },
  'task change': {
    summary: 'Eine Aufgabe ändern, die noch nicht beendet ist',
    options: {
      ...placeOptions,
    },
    examples: ['Aufgabe 12 vor anderen starten', 'Sie später starten', 'Ihre Kostengrenze entfernen'],
  },
  'task diff': {
    summary: 'Zeigen, was eine Aufgabe in ihrem Git-Arbeitsbaum geändert hat',
    examples: ['Die Änderungen zeigen', sharedExamples.themAsJson, 'Sie zusammenführen'],
  },
  'task merge': {
    summary: 'Den Arbeitsbaum einer Aufgabe mit dem Branch des Arbeitsordners zusammenführen',
    examples: [
      'Die Änderungen einer Aufgabe zusammenführen',
      'Sie vorher sehen',
      sharedExamples.resultAsJson,
    ],
  },
  'task discard': {
    summary: 'Den Arbeitsbaum einer Aufgabe und seinen Branch löschen',
    options: {
      '--yes': 'ohne Rückfrage verwerfen',
    },
    examples: ['Die Änderungen einer Aufgabe verwerfen', 'Sie ohne Rückfrage verwerfen', 'Sie vorher sehen'],
  },
  'task archive': {
    summary: 'Beendete Aufgaben aus den Listen nehmen; nichts wird gelöscht',
    options: {
      '--older-than': 'alle, die früher endeten, zum Beispiel 30d',
    },
    examples: [
      'Zwei Aufgaben archivieren',
      'Alle archivieren, die vor über einem Monat endeten',
      'Das Archiv sehen',
    ],
  },
  'task unarchive': {
    summary: 'Archivierte Aufgaben zurück in die Listen holen',
    examples: ['Eine Aufgabe zurückholen', 'Zwei zurückholen', 'Ihre Nummern finden'],
  },
  'task import': {
    summary: 'Die tasks.json eines Personal Agent importieren, ganz oder gar nicht',
    examples: [
      'Alle Aufgaben einer Datei importieren',
      sharedExamples.resultAsJson,
      'Die importierten Aufgaben sehen',
    ],
  },
  workers: {
    summary: 'Zeigen oder festlegen, wie viele Aufgaben zugleich laufen',
    options: {
      '--set': 'so viele Arbeitsplätze, höchstens 64; „auto“ für die Vorgabe',
      '--agent': 'mit --concurrency',
      '--concurrency': 'Aufgaben dieses Agenten zugleich, höchstens 16',
    },
    examples: [
      'Die Arbeitsplätze und ihre Aufgaben zeigen',
      'Bis zu vier Aufgaben zugleich ausführen',
      'Bis zu zwei Aufgaben eines Agenten ausführen',
    ],
  },
};
