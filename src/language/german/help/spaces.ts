import type { spaces as english } from '../../english/help/spaces.ts';
import type { Translated } from '../../help-part.ts';
import { sharedExamples } from './shared-examples.ts';

export const spaces: Translated<typeof english> = {
  'space list': {
    summary: 'Deine Spaces und deine Rolle in jedem auflisten',
    examples: ['Alle Spaces auflisten', sharedExamples.themAsJson, 'Nur ihre Namen ausgeben'],
  },
  'space create': {
    summary: 'Einen Space anlegen, der dir gehört',
    examples: [
      'Einen Space mit dem Kanal #general anlegen',
      'Seine ID als JSON ausgeben',
      'Jemanden dorthin einladen',
    ],
  },
  'space rename': {
    summary: 'Einen Space umbenennen (Besitzer, Admins)',
    examples: ['Einen Space umbenennen', 'Ihn über seine ID umbenennen', sharedExamples.resultAsJson],
  },
  'space archive': {
    summary: 'Einen Space archivieren, sodass kein Mitglied schreiben kann (Besitzer)',
    examples: ['Einen Space archivieren', 'Ihn wieder öffnen', sharedExamples.resultAsJson],
  },
  'space unarchive': {
    summary: 'Einen archivierten Space wieder öffnen (Besitzer)',
    examples: [
      'Einen Space wieder öffnen',
      'Sehen, welche Spaces archiviert sind',
      sharedExamples.resultAsJson,
    ],
  },
  'space members': {
    summary: 'Die Mitglieder eines Space und ihre Rollen auflisten',
    examples: ['Alle Mitglieder auflisten', sharedExamples.themAsJson, 'Nur ihre Kennungen ausgeben'],
  },
  'space role': {
    summary: 'Jemanden zum Admin oder zum Mitglied machen (Besitzer)',
    examples: ['Eine Person zum Admin machen', 'Die Rolle zurücknehmen', 'Alle Rollen sehen'],
  },
  'space remove': {
    summary: 'Jemanden aus einem Space entfernen (Besitzer, Admins)',
    examples: ['Eine Person entfernen', 'Deinen Agenten entfernen', 'Ohne Rückfrage entfernen'],
  },
  'space leave': {
    summary: 'Einen Space verlassen',
    examples: [
      'Einen Space verlassen',
      'Ohne Rückfrage verlassen',
      'Ihn vorher jemandem übergeben, wenn er dir gehört',
    ],
  },
  'space hand-over': {
    summary: 'Jemand anderen zum Besitzer machen (Besitzer)',
    examples: [
      'Eine andere Person zum Besitzer machen',
      'Das ohne Rückfrage tun',
      'Vorher die Mitglieder sehen',
    ],
  },
  'space link': {
    summary: 'Einladungslinks zu einem Space anlegen, auflisten oder widerrufen (Besitzer, Admins)',
    options: {
      '--expires': 'mit create: 1d, 7d oder never',
      '--uses': 'mit create: für wie viele Leute, oder unlimited',
    },
    examples: [
      'Einen Link für eine Person anlegen',
      'Alle Links sehen und wie oft sie benutzt wurden',
      'Einen widerrufen',
    ],
  },
  'space join': {
    summary:
      'Einem Space über einen Einladungslink beitreten: „-“ liest ihn von der Standardeingabe, sonst fragt Kennel danach',
    options: {
      '--username': 'der Anfang deiner Kennung, falls du noch kein Konto hast',
      '--yes': 'ohne Rückfrage mit dem Server verbinden',
    },
    examples: [
      'Den Link einfügen, den Server ansehen und beitreten',
      'Mit einem Link aus einer Datei anmelden und beitreten',
      'Alle deine Spaces sehen',
    ],
  },
  'channel list': {
    summary: 'Deine Kanäle auflisten, die eines Space oder alle',
    examples: ['Alle Kanäle auflisten', 'Die eines Space auflisten', sharedExamples.themAsJson],
  },
  'channel create': {
    summary: 'Einen Kanal anlegen',
    options: {
      '--no-encrypted': 'Nachrichten sind unterschrieben, und der Server kann sie lesen',
    },
    examples: [
      'Einen verschlüsselten Kanal anlegen',
      'Einen anlegen, den der Server lesen kann',
      'Einen Agenten dorthin einladen',
    ],
  },
  'channel rename': {
    summary: 'Einen Kanal umbenennen',
    examples: [
      'Einen Kanal umbenennen',
      'Den Space nennen, falls mehrere einen solchen Kanal haben',
      'Ihn über seine ID umbenennen',
    ],
  },
  'channel delete': {
    summary: 'Einen Kanal für alle seine Mitglieder löschen',
    examples: [
      'Einen Kanal löschen',
      'Den Space nennen, falls mehrere einen solchen Kanal haben',
      'Ohne Rückfrage löschen',
    ],
  },
  'channel leave': {
    summary: 'Einen Kanal verlassen',
    examples: [
      'Einen Kanal verlassen',
      'Den Space nennen, falls mehrere einen solchen Kanal haben',
      'Ohne Rückfrage verlassen',
    ],
  },
  'channel remove': {
    summary: 'Jemanden aus einem Kanal entfernen',
    examples: ['Eine Person entfernen', 'Deinen Agenten entfernen', 'Ohne Rückfrage entfernen'],
  },
  invite: {
    summary: 'Eine Person über ihre Kennung oder deinen Agenten über seine ID einladen',
    options: {
      '--space': 'in diesen Space',
      '--channel': 'in diesen Kanal, und nötigenfalls in seinen Space',
    },
    examples: [
      'Eine Person in einen Space einladen',
      'Deinen Agenten in einen Kanal einladen',
      'Unbeantwortete Einladungen sehen',
    ],
  },
  invites: {
    summary: 'Einladungen an dich auflisten',
    examples: ['Offene Einladungen auflisten', 'Eine annehmen', sharedExamples.themAsJson],
  },
  'invites accept': {
    summary: 'Eine Einladung annehmen; der Anfang ihrer ID genügt',
    examples: ['Eine Einladung annehmen', sharedExamples.findId, sharedExamples.resultAsJson],
  },
  'invites reject': {
    summary: 'Eine Einladung ablehnen',
    examples: ['Eine Einladung ablehnen', sharedExamples.findId, sharedExamples.resultAsJson],
  },
  'invites sent': {
    summary: 'Deine unbeantworteten Einladungen auflisten',
    examples: ['Offene Einladungen von dir auflisten', 'Eine zurückziehen', sharedExamples.themAsJson],
  },
  'invites cancel': {
    summary: 'Eine deiner Einladungen zurückziehen',
    examples: ['Eine Einladung zurückziehen', sharedExamples.findId, sharedExamples.resultAsJson],
  },
};
