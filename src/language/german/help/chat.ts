import type { chat as english } from '../../english/help/chat.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const chat: Translated<typeof english> = {
  'chat send': {
    summary: 'Eine Nachricht, Dateien oder beides senden',
    options: {
      '--to': 'Agent, Kennung, Name, #kanal, Space/#kanal oder ID des Raums',
      '--thread': 'im Thread dieser Nachricht antworten',
      '--attach': 'eine Datei von höchstens 8 MiB, bis zu 10',
      '--wait': 'auf eine Antwort warten und sie ausgeben',
      '--text': 'einen Text senden, der mit / beginnt, aber kein Befehl ist',
    },
    examples: [
      'Einen Agenten fragen und seine Antwort ausgeben',
      'In einen Kanal schreiben',
      'Eine Datei senden',
    ],
  },
  'chat read': {
    summary: 'Nachrichten eines Raums ausgeben oder die Räume auflisten',
    options: {
      '--limit': 'wie viele Nachrichten',
      '--before': 'älter als diese Nachricht',
      '--ids': 'die ID jeder Nachricht ausgeben',
      '--server': 'stattdessen ausgeben, was der Server sieht',
    },
    examples: [
      'Alle Räume auflisten',
      'Die letzten zehn Nachrichten eines Kanals ausgeben',
      'Ausgeben, was der Server von einem Gespräch sieht',
    ],
  },
  'chat retry': {
    summary: 'Eine gescheiterte Nachricht noch einmal senden',
    examples: [
      'Eine gescheiterte Nachricht noch einmal senden',
      sharedExamples.findMessage,
      'Sie in einem Skript noch einmal senden',
    ],
  },
  'chat new': {
    summary: 'Ein Gespräch mit einem Agenten oder einer Person beginnen, ohne die früheren Nachrichten',
    options: {
      '--title': 'sein Titel; sonst seine erste Nachricht',
    },
    examples: ['Ein Gespräch beginnen', 'Ihm einen Titel geben', 'Seine ID für ein Skript ausgeben'],
  },
  'chat conversations': {
    summary: 'Die Gespräche mit einem Agenten oder einer Person auflisten',
    examples: [
      'Sie mit ihren IDs auflisten',
      'Die Nachrichten eines Gesprächs ausgeben',
      sharedExamples.themAsJson,
    ],
  },
  'chat rename': {
    summary: 'Ein Gespräch auf diesem Computer umbenennen',
    examples: ['Ein Gespräch umbenennen', 'Das Hauptgespräch umbenennen', sharedExamples.findConversation],
  },
  'chat archive': {
    summary: 'Ein Gespräch ausblenden, bis eine Nachricht darin eintrifft',
    examples: ['Es archivieren', 'Es wieder auflisten', sharedExamples.findConversation],
  },
  'chat unarchive': {
    summary: 'Ein archiviertes Gespräch wieder auflisten',
    examples: ['Es wieder auflisten', 'Es archivieren', sharedExamples.findConversation],
  },
  'chat remove': {
    summary: 'Deine Kopie eines Gesprächs auf diesem Computer löschen; der Agent behält seine',
    examples: ['Ein Gespräch hier löschen', 'Es ohne Rückfrage löschen', sharedExamples.findConversation],
  },
  'chat react': {
    summary: 'Auf eine Nachricht reagieren, nur auf diesem Computer',
    options: {
      '--remove': 'die Reaktion entfernen',
    },
    examples: ['Auf eine Nachricht reagieren', 'Die Reaktion entfernen', sharedExamples.findMessage],
  },
  'chat pin': {
    summary: 'Eine Nachricht in ihrem Raum anheften, nur auf diesem Computer',
    options: {
      '--remove': 'nicht mehr anheften',
    },
    examples: [
      'Eine Nachricht anheften',
      'Sie nicht mehr anheften',
      'Die angehefteten Nachrichten eines Raums auflisten',
    ],
  },
  'chat pins': {
    summary: 'Die angehefteten Nachrichten eines Raums auflisten',
    examples: [
      'Die eines Kanals auflisten',
      'Die eines Gesprächs mit einem Agenten',
      sharedExamples.themAsJson,
    ],
  },
  'chat delete': {
    summary: 'Deine Kopie einer Nachricht auf diesem Computer löschen; alle anderen behalten ihre',
    examples: ['Eine Nachricht hier löschen', sharedExamples.findMessage, 'Sie ohne Rückfrage löschen'],
  },
  'chat mute': {
    summary: 'Einen Raum oder Thread stummschalten',
    options: {
      '--thread': 'nur den Thread dieser Nachricht',
      '--for': 'zum Beispiel 30m, 8h oder 2d; sonst, bis du es aufhebst',
      '--no-mentions': 'auch Erwähnungen von dir stummschalten',
    },
    examples: [
      'Einen Kanal für 8 Stunden stummschalten',
      'Direktnachrichten stummschalten, bis du es aufhebst',
      'Einen Thread stummschalten',
    ],
  },
  'chat unmute': {
    summary: 'Die Stummschaltung eines Raums oder Threads aufheben',
    options: {
      '--thread': 'nur den Thread dieser Nachricht',
    },
    examples: [
      'Die Stummschaltung eines Kanals aufheben',
      'Die von Direktnachrichten aufheben',
      'Die eines Threads aufheben',
    ],
  },
  'files get': {
    summary: 'Die Dateien einer Nachricht speichern; nichts wird überschrieben',
    options: {
      '--out': 'ein Ordner oder der Name für eine Datei',
    },
    examples: [
      'Alle Dateien einer Nachricht hier speichern',
      'Ihre zweite Datei unter anderem Namen speichern',
      'Alle Dateien in einem Ordner speichern',
    ],
  },
  search: {
    summary: 'Deine Nachrichten oder die eines Agenten durchsuchen, neueste zuerst',
    options: {
      '--in': 'nur dieser Raum: ID, #kanal oder Name',
      '--agent': 'Nachrichten, die dieser Agent erhalten hat',
      '--from': 'gesendet von dieser Person oder diesem Agenten; „me“ bist du',
      '--since': 'gesendet an diesem Tag oder später, wie 2026-11-01 (UTC)',
      '--until': 'gesendet vor diesem Tag (UTC)',
      '--has-file': 'nur Nachrichten mit Dateien',
      '--before': 'älter als diese Nachricht',
      '--limit': 'wie viele, höchstens 200',
    },
    examples: [
      'Nachrichten mit beiden Wörtern finden',
      'Eine Wortfolge in einem Kanal finden',
      'Wortanfänge in Nachrichten an einen Agenten finden',
    ],
  },
  why: {
    summary: 'Für jeden Agenten erklären, warum er auf eine Nachricht geantwortet hat oder nicht',
    examples: [
      'Die Reaktionen auf eine Nachricht erklären',
      sharedExamples.findMessage,
      'Die Gründe als JSON ausgeben',
    ],
  },
  missed: {
    summary: 'Nachrichten an deine Agenten ohne Antwort auflisten, jede mit dem Grund',
    options: {
      '--days': 'wie viele Tage zurück',
    },
    examples: [
      'Unbeantwortete Nachrichten der letzten Woche auflisten',
      'Nur die an einen Agenten',
      'Die von 30 Tagen als JSON ausgeben',
    ],
  },
};
